import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PoimenError } from '../../../src/errors/poimen-error.ts';
import { connectLive, type ConnectLiveOptions } from '../../../src/cluster/live/connect-live.ts';
import { inClusterKubeconfig } from '../../../src/cluster/live/in-cluster.ts';
import { temporaryFolder } from './connect.ts';

const connect = async (options: Partial<ConnectLiveOptions>) => {
  const { cluster, defaultNamespace } = await connectLive({ env: {}, requestTimeoutMs: 1_000, ...options });
  await cluster.close();
  return { ...cluster.identity, defaultNamespace };
};

/** What a person would read, and the exit code. */
const failureOf = async (options: Partial<ConnectLiveOptions>) => {
  const error = await connect(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PoimenError)) throw new Error('no PoimenError', { cause: error });
  const { code, exitCode, message, detail, nextSteps } = error;
  return { code, exitCode, message, detail, nextSteps };
};

const write = async (text: string, name = 'config'): Promise<string> => {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, text);
  return path;
};

const prod = `apiVersion: v1
kind: Config
current-context: prod
contexts:
- {name: prod, context: {cluster: prod, user: admin, namespace: llm-serving}}
- {name: staging, context: {cluster: staging, user: admin}}
- {name: half, context: {cluster: gone, user: admin}}
- {name: anonymous, context: {cluster: prod}}
- {name: nowhere, context: {user: admin}}
clusters:
- {name: prod, cluster: {server: "https://prod.example:6443/"}}
- {name: staging, cluster: {server: "https://staging.example/k8s/clusters/c-1"}}
- {name: odd, cluster: {server: "prod.example:6443"}}
users:
- {name: admin, user: {token: t}}
`;

describe('which cluster: as kubectl decides', () => {
  it('takes --kubeconfig and its current context', async () => {
    expect(await connect({ kubeconfig: await write(prod) })).toEqual({
      kind: 'live',
      name: 'prod',
      server: 'https://prod.example:6443',
      user: 'admin',
      defaultNamespace: 'llm-serving',
    });
  });

  it('takes --context, --cluster, --user and -n over what the kubeconfig says', async () => {
    const kubeconfig = await write(prod);
    expect(await connect({ kubeconfig, context: 'staging' })).toMatchObject({
      name: 'staging',
      server: 'https://staging.example/k8s/clusters/c-1',
      defaultNamespace: 'default',
    });
    expect(await connect({ kubeconfig, context: 'half', cluster: 'prod' })).toMatchObject({ server: 'https://prod.example:6443' });
    expect(await connect({ kubeconfig, context: 'anonymous', user: 'admin', namespace: 'here' })).toMatchObject({
      user: 'admin',
      defaultNamespace: 'here',
    });
  });

  it('reads ~/.kube/config when nothing is said', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.kube'));
    await writeFile(join(home, '.kube', 'config'), prod);
    expect(await connect({ env: { HOME: home } })).toMatchObject({ name: 'prod' });
  });

  it('merges the files of KUBECONFIG: what is in two is the first one’s; a missing file is none', async () => {
    const first = await write('clusters:\n- {name: prod, cluster: {server: "https://first.example"}}\n');
    const env = { KUBECONFIG: [first, '/nonexistent/config', await write(prod)].join(delimiter) };
    expect(await connect({ env })).toMatchObject({ name: 'prod', server: 'https://first.example' });
  });

  it('reads the paths in a file from where that file is', async () => {
    const path = await write(prod.replace('{token: t}', '{client-certificate: c.pem, client-key: k.pem}'));
    const { message } = await failureOf({ kubeconfig: path });
    expect(message).toBe(
      `cannot read ${path.replace(/config$/, 'c.pem')}, which the kubeconfig names as client-certificate of user "admin"`,
    );
  });

  it("takes a pod's service account inside a cluster", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'token'), 't');
    await writeFile(join(folder, 'namespace'), 'llm-serving\n');
    const kubeconfig = inClusterKubeconfig({ KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }, folder);
    expect(kubeconfig?.clusters.get('in-cluster')?.fields).toEqual({ server: 'https://[fd00::1]:443', 'certificate-authority': 'ca.crt' });
    expect(kubeconfig?.contexts.get('in-cluster')?.fields).toMatchObject({ namespace: 'llm-serving' });
    expect(inClusterKubeconfig({}, folder)).toBeUndefined();
  });
});

describe('a kubeconfig that cannot be used', () => {
  it('is not there', async () => {
    expect(await failureOf({ env: { HOME: '/nonexistent' } })).toEqual({
      code: 'NoKubeconfig',
      exitCode: 2,
      message: 'no kubeconfig found',
      detail: 'looked for /nonexistent/.kube/config; not inside a cluster either',
      nextSteps: ['give one: --kubeconfig FILE, or set KUBECONFIG', 'or use the embedded twin, which needs no cluster: --twin FOLDER'],
    });
  });

  it('is not where --kubeconfig says', async () => {
    expect(await failureOf({ kubeconfig: '/nonexistent/config' })).toEqual({
      code: 'KubeconfigUnreadable',
      exitCode: 2,
      message: 'cannot read the kubeconfig /nonexistent/config',
      detail: 'there is no such file',
      nextSteps: ['name a kubeconfig that you can read: --kubeconfig FILE'],
    });
  });

  it('is a folder', async () => {
    const kubeconfig = await temporaryFolder();
    expect(await failureOf({ kubeconfig })).toMatchObject({
      code: 'KubeconfigUnreadable',
      exitCode: 2,
      detail: 'EISDIR: illegal operation on a directory, read',
    });
  });

  it('is broken YAML; what is said of it does not quote the file, which holds secrets', async () => {
    const kubeconfig = await write('users:\n- name: admin\n  user: {token: very-secret\n');
    const failure = await failureOf({ kubeconfig });
    expect(failure).toEqual({
      code: 'KubeconfigInvalid',
      exitCode: 2,
      message: `${kubeconfig} is no usable kubeconfig`,
      detail: 'Flow map in block collection must be sufficiently indented and end with a } at line 4, column 1',
      nextSteps: [`see what kubectl makes of it: kubectl config view --kubeconfig ${kubeconfig}`],
    });
  });

  it.each([
    ['kind: Deployment', 'its kind is Deployment, not Config'],
    ['just text', 'it is not a mapping'],
  ])('is something else: %s', async (text, detail) => {
    expect(await failureOf({ kubeconfig: await write(text) })).toMatchObject({ code: 'KubeconfigInvalid', exitCode: 2, detail });
  });

  it('is empty', async () => {
    expect(await failureOf({ kubeconfig: await write('') })).toEqual({
      code: 'NoCurrentContext',
      exitCode: 2,
      message: 'the kubeconfig has no current context',
      detail: 'it has no contexts at all',
      nextSteps: ['choose one: --context NAME, or kubectl config use-context NAME'],
    });
  });
});

describe('a context that cannot be used', () => {
  it('does not exist: lists those there are, and the nearest', async () => {
    expect(await failureOf({ kubeconfig: await write(prod), context: 'stagin' })).toEqual({
      code: 'ContextNotFound',
      exitCode: 2,
      message: 'there is no context "stagin" in the kubeconfig',
      detail: 'it has: prod, staging, half, anonymous, nowhere',
      nextSteps: ['did you mean: --context staging'],
    });
  });

  it('is the current one, and does not exist', async () => {
    expect(await failureOf({ kubeconfig: await write('current-context: zzz\n') })).toMatchObject({
      code: 'ContextNotFound',
      exitCode: 2,
      message: 'the current context "zzz" is not in the kubeconfig',
      detail: 'it has no contexts at all',
      nextSteps: ['choose one: --context NAME'],
    });
  });

  it.each([
    ['half', 'context "half" names the cluster "gone", which the kubeconfig does not define', 'it defines: prod, staging, odd'],
    ['anonymous', 'context "anonymous" names no user', 'kubectl config set-context anonymous --user=NAME'],
    ['nowhere', 'context "nowhere" names no cluster', 'kubectl config set-context nowhere --cluster=NAME'],
  ])('lacks its cluster or user: %s', async (context, message, nextStep) => {
    expect(await failureOf({ kubeconfig: await write(prod), context })).toEqual({
      code: 'ContextIncomplete',
      exitCode: 2,
      message,
      detail: undefined,
      nextSteps: [nextStep],
    });
  });

  it('is given a cluster that there is not', async () => {
    expect(await failureOf({ kubeconfig: await write(prod), cluster: 'other' })).toMatchObject({
      message: 'the kubeconfig defines no cluster "other"',
      nextSteps: ['it defines: prod, staging, odd'],
    });
  });

  it('has a server without a scheme', async () => {
    expect(await failureOf({ kubeconfig: await write(prod), cluster: 'odd' })).toMatchObject({
      code: 'ContextIncomplete',
      exitCode: 2,
      message: 'cluster "odd" has no usable server address: prod.example:6443',
      nextSteps: ['write it like https://HOST:PORT'],
    });
  });

  it('impersonates a group without a user', async () => {
    expect(await failureOf({ kubeconfig: await write(prod), asGroups: ['dev'] })).toMatchObject({
      exitCode: 2,
      message: '--as-group needs a user to act as',
      nextSteps: ['add --as USER'],
    });
  });
});
