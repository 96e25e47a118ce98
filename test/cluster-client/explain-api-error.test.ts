import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, type ApiRequest, type ApiStatus } from '../../src/cluster/api-error.ts';
import { explainApiError } from '../../src/cluster/explain-api-error.ts';

const identity = { kind: 'live', name: 'prod', server: 'https://prod.example:6443', user: 'alice' } as const;
const request: ApiRequest = { verb: 'patch', resource: 'deployments.apps', namespace: 'llm-serving', name: 'clef-serve' };

const explain = (error: ApiError | ConnectionError) => {
  const { code, exitCode, message, detail, nextSteps } = explainApiError(error, identity);
  return { code, exitCode, message, detail, nextSteps };
};
const answered = (status: Partial<ApiStatus>, of = request) =>
  explain(new ApiError(of, { code: 500, reason: '', message: 'words', ...status }));
const broken = (code: string | undefined, message: string) =>
  explain(
    new ConnectionError(
      { verb: 'list', resource: 'pods' },
      message,
      code === undefined ? undefined : Object.assign(new Error(message), { code }),
    ),
  );

describe('an answer that a person can do something about', () => {
  it('401: whose credentials, and how to check', () => {
    expect(answered({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' })).toEqual({
      code: 'Unauthorized',
      exitCode: 3,
      message: 'https://prod.example:6443 does not accept the credentials of user "alice"',
      detail: 'Error from server (Unauthorized): Unauthorized',
      nextSteps: ['log in again (the token or certificate may have expired)', 'check with: kubectl --context prod auth whoami'],
    });
  });

  it('403 in a namespace: verb, resource, user, and the Role that would help', () => {
    const message =
      'deployments.apps "clef-serve" is forbidden: User "robot" cannot patch resource "deployments/scale" in API group "apps" in the namespace "llm-serving"';
    expect(answered({ code: 403, reason: 'Forbidden', message })).toEqual({
      code: 'Forbidden',
      exitCode: 3,
      message: 'user "robot" may not patch deployments/scale (apps) in llm-serving: clef-serve',
      detail: `Error from server (Forbidden): ${message}`,
      nextSteps: [
        `have someone with the right to do so create this, and bind it to "robot":
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: poimen, namespace: llm-serving}
rules:
- {apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["patch"]}`,
      ],
    });
  });

  it('403 cluster-wide: a ClusterRole', () => {
    const message = 'nodes is forbidden: User "alice" cannot list resource "nodes" in API group "" at the cluster scope';
    expect(answered({ code: 403, reason: 'Forbidden', message }, { verb: 'list', resource: 'nodes' })).toMatchObject({
      message: 'user "alice" may not list nodes cluster-wide',
      nextSteps: [
        `have someone with the right to do so create this, and bind it to "alice":
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: poimen}
rules:
- {apiGroups: [""], resources: ["nodes"], verbs: ["list"]}`,
      ],
    });
  });

  it('403 of a quota: no Role would help', () => {
    const message = 'pods "a" is forbidden: exceeded quota: gpus';
    expect(
      answered({ code: 403, reason: 'Forbidden', message }, { verb: 'create', resource: 'pods', namespace: 'llm-serving', name: 'a' }),
    ).toEqual({
      code: 'Forbidden',
      exitCode: 3,
      message: 'the server forbids to create pods a in llm-serving',
      detail: `Error from server (Forbidden): ${message}`,
      nextSteps: [],
    });
  });

  it("anything else: the server's reason and words", () => {
    expect(answered({ code: 422, reason: 'Invalid', message: 'spec.replicas: must not be negative' })).toEqual({
      code: 'Invalid',
      exitCode: 3,
      message: 'the server refused to patch deployments.apps clef-serve in llm-serving',
      detail: 'Error from server (Invalid): spec.replicas: must not be negative',
      nextSteps: [],
    });
  });

  it('without a reason: the number', () => {
    expect(answered({ code: 502, message: 'HTTP 502: Bad Gateway' })).toMatchObject({
      code: 'Http502',
      detail: 'Error from server: HTTP 502: Bad Gateway',
      nextSteps: ['try again'],
    });
  });
});

describe('no answer', () => {
  it.each([
    [
      'ECONNREFUSED',
      'ServerUnreachable',
      'nothing listens at https://prod.example:6443 (context "prod")',
      'is the cluster running, and the address in the kubeconfig the right one?',
    ],
    [
      'ENOTFOUND',
      'ServerNameUnknown',
      'the name in https://prod.example:6443 cannot be resolved (context "prod")',
      'is the address in the kubeconfig the right one, and the VPN up?',
    ],
    [
      'EAI_AGAIN',
      'ServerNameUnknown',
      'the name in https://prod.example:6443 cannot be resolved (context "prod")',
      'is the address in the kubeconfig the right one, and the VPN up?',
    ],
    ['EHOSTUNREACH', 'ServerUnreachable', 'no way to https://prod.example:6443 (context "prod")', 'is the network or VPN up?'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'CertificateNotTrusted',
      'the certificate of https://prod.example:6443 is not to be trusted (context "prod")',
      "is it the right server, and the kubeconfig's certificate-authority that server's?",
    ],
    [
      'CERT_HAS_EXPIRED',
      'CertificateNotTrusted',
      'the certificate of https://prod.example:6443 is not to be trusted (context "prod")',
      "is it the right server, and the kubeconfig's certificate-authority that server's?",
    ],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'TlsFailed',
      'no TLS connection to https://prod.example:6443 (context "prod")',
      'does the server speak TLS, and does it accept the client certificate?',
    ],
  ])('%s', (code, name, message, nextStep) => {
    expect(broken(code, 'it failed')).toEqual({
      code: name,
      exitCode: 3,
      message,
      detail: `list pods: it failed (${code})`,
      nextSteps: [nextStep, 'check with: kubectl --context prod version'],
    });
  });

  it('for another reason', () => {
    expect(broken(undefined, 'no answer within 30 s')).toEqual({
      code: 'ServerUnreachable',
      exitCode: 3,
      message: 'no answer from https://prod.example:6443 (context "prod")',
      detail: 'list pods: no answer within 30 s',
      nextSteps: ['check with: kubectl --context prod version'],
    });
  });
});
