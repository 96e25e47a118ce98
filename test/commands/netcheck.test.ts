import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { violations } from '../runbook/json-schema-validator.ts';
import { InstalledPoimen, type Ended } from './bad-input/installed-poimen.ts';

vi.setConfig({ testTimeout: 60_000 }); // the cores may be busy with other files

// The example cluster and its 34-day incident, asked through the installed program in a pipe.

const root = resolve(import.meta.dirname, '../..');
const schema: unknown = JSON.parse(readFileSync(join(root, 'schemas/netcheck.v1.json'), 'utf8'));

const poimen = new InstalledPoimen();
const netcheck = (...args: readonly string[]): Ended => poimen.run('netcheck', ...args);
const json = (...args: readonly string[]): Record<string, unknown> =>
  JSON.parse(netcheck(...args, '-o', 'json').stdout) as Record<string, unknown>;

const example = ['-f', 'examples/llm-serving'];
const memory = 'deploy/poimen-memory.poimen';
const clef = 'svc/clef-serve.llm-serving';

beforeAll(() => {
  for (const name of ['namespaces', 'clef-serve', 'poimen-memory', 'poimen-graphql', 'poimen-memory-llm-egress'])
    poimen.write(`incident/${name}.yaml`, readFileSync(join(root, `examples/llm-serving/${name}.yaml`), 'utf8'));
  const policy = readFileSync(join(root, 'examples/llm-serving/llm-serving-ingress.yaml'), 'utf8');
  const [before = '', rules = ''] = policy.split('    # The clients in namespace poimen.');
  poimen.write('incident/llm-serving-ingress.yaml', `${before}${rules.slice(rules.indexOf('    # The pods of this namespace'))}`);
});

describe('the example', () => {
  it('poimen-memory reaches clef-serve, and the answer is a picture of the path', () => {
    expect(netcheck(...example, memory, clef, '--port', '80')).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `✔ allowed  deployment/poimen-memory.poimen -> svc/clef-serve.llm-serving, TCP 80
in the manifests of examples/llm-serving

  client   poimen/poimen-memory[Deployment]  (template only)
     │
  egress   ✔ allowed  poimen/poimen-memory-llm-egress allows it (egress rule 0)
     │     examples/llm-serving/poimen-memory-llm-egress.yaml:15
     │
  service  clef-serve.llm-serving  80 -> 8080
     │     examples/llm-serving/clef-serve.yaml:81
     │
  ingress  ✔ allowed  llm-serving/llm-serving-ingress allows it (ingress rule 0)
     │     examples/llm-serving/llm-serving-ingress.yaml:16
     │
  server   llm-serving/clef-serve[Deployment]  (template only)  TCP 8080

note: poimen/poimen-memory[Deployment], llm-serving/clef-serve[Deployment]: judged by the template, without what controllers and webhooks add to a pod
`,
    });
  });

  it('the incident: let out, dropped on arrival; --fix prints the rule that is missing', () => {
    expect(netcheck('-f', 'incident', memory, clef, '--port', '80', '--fix')).toEqual({
      exitCode: 7,
      stderr: '',
      stdout: `✖ denied  deployment/poimen-memory.poimen -> svc/clef-serve.llm-serving, TCP 80
in the manifests of incident

  client   poimen/poimen-memory[Deployment]  (template only)
     │
  egress   ✔ allowed  poimen/poimen-memory-llm-egress allows it (egress rule 0)
     │     incident/poimen-memory-llm-egress.yaml:15
     │
  service  clef-serve.llm-serving  80 -> 8080
     │     incident/clef-serve.yaml:81
     │
  ingress  ✖ denied  llm-serving/llm-serving-ingress isolates the pod and has no rule for pod poimen/poimen-memory on TCP 8080
     │     incident/llm-serving-ingress.yaml:6
     │     NetworkPolicy llm-serving/llm-serving-ingress: has no rule for it
     │       rule 0 does not match: covers pods of its own namespace llm-serving only (no namespaceSelector), not of poimen  incident/llm-serving-ingress.yaml:16
     │
  server   llm-serving/clef-serve[Deployment]  (template only)  TCP 8080

note: poimen/poimen-memory[Deployment], llm-serving/clef-serve[Deployment]: judged by the template, without what controllers and webhooks add to a pod
caution: incident/poimen-memory-llm-egress.yaml:15: poimen/poimen-memory-llm-egress: one half of a path: this lets out to llm-serving/clef-serve[Deployment], and llm-serving/llm-serving-ingress isolates the pod and has no rule for pod poimen/poimen-memory on TCP 8080 (both halves have to be open: netcheck FROM TO --fix prints the rule that is missing)

to open it (with this the path is allowed):
  ingress: a new rule 1 in llm-serving/llm-serving-ingress  incident/llm-serving-ingress.yaml:16

apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: llm-serving-ingress
  namespace: llm-serving
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/part-of: llm-serving
  policyTypes:
    - Ingress
  ingress:
    - from:
        - podSelector: {}
      ports:
        - protocol: TCP
          port: 8080
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: poimen
          podSelector:
            matchLabels:
              app: poimen-memory
      ports:
        - protocol: TCP
          port: 8080
`,
    });
  });

  it('what -o yaml prints opens the path when it is put in place', () => {
    const { stdout, exitCode } = netcheck('-f', 'incident', memory, clef, '--fix', '-o', 'yaml');
    expect(exitCode).toBe(7);
    expect(parse(stdout)).toMatchObject({ kind: 'NetworkPolicy', metadata: { name: 'llm-serving-ingress', namespace: 'llm-serving' } });
    for (const name of ['namespaces', 'clef-serve', 'poimen-memory', 'poimen-graphql', 'poimen-memory-llm-egress'])
      poimen.write(`mended/${name}.yaml`, readFileSync(join(root, `examples/llm-serving/${name}.yaml`), 'utf8'));
    poimen.write('mended/llm-serving-ingress.yaml', stdout);
    expect(netcheck('-f', 'mended', memory, clef).exitCode).toBe(0);
    expect(netcheck('-f', 'mended', 'deploy/poimen-graphql.poimen', clef).exitCode).toBe(7);
  });

  it('poimen-graphql is open to everybody, which is said', () => {
    expect(netcheck(...example, '--only-from', memory, 'svc/poimen-graphql.poimen', '--port', '8090')).toEqual({
      exitCode: 7,
      stderr: '',
      stdout: `✖ no  svc/poimen-graphql.poimen, TCP 8090, from deployment/poimen-memory.poimen only
in the manifests of examples/llm-serving

meant to reach it
  ✔ allowed  deployment/poimen-memory.poimen  poimen/poimen-memory-llm-egress allows it (egress rule 1)

who else reaches it
  ✖ llm-serving/clef-candle[Deployment] (present): no policy isolates pod poimen/poimen-graphql for ingress
  ✖ llm-serving/clef-serve[Deployment] (present): no policy isolates pod poimen/poimen-graphql for ingress
  ✖ llm-serving/coder-predictor[Deployment] (present): no policy isolates pod poimen/poimen-graphql for ingress
  ✖ llm-serving/reasoning-predictor[Deployment] (present): no policy isolates pod poimen/poimen-graphql for ingress
  ✖ poimen/poimen-graphql[Deployment] (present): no policy isolates pod poimen/poimen-graphql (another pod) for ingress
  ✖ any pod in any namespace: no policy isolates pod poimen/poimen-graphql for ingress
  ? 0.0.0.0/0: depends on the network outside: svc/poimen-graphql.poimen opens nothing to it (ClusterIP)
  ? ::/0: depends on the network outside: svc/poimen-graphql.poimen opens nothing to it (ClusterIP)

what no NetworkPolicy keeps out
  whatever runs on a server pod's own node: the kubelet, and every process of the host
  pods on their node's network (none is known here)
  the API server's proxy (services/proxy, pods/proxy), which comes from a control plane node
  kubectl port-forward and exec, which go through the kubelet

note: poimen/poimen-memory[Deployment], poimen/poimen-graphql[Deployment]: judged by the template, without what controllers and webhooks add to a pod
`,
    });
  });

  it('many paths are a table, with the one that decides as a picture', () => {
    const { stdout, exitCode } = netcheck('-f', 'incident', 'ns/poimen', clef);
    expect(exitCode).toBe(7);
    expect(stdout).toMatch(/^✖ denied {2}namespace poimen -> svc\/clef-serve\.llm-serving, TCP 80\n/);
    expect(netcheck(...example, 'ns/poimen', 'ns/llm-serving', '--port', '8080').stdout).toContain(
      '8 paths:\n  ✔ allowed  poimen/poimen-graphql[Deployment] -> llm-serving/clef-candle[Deployment] 8080\n',
    );
  });

  it('the twin answers the same, of pods that run', () => {
    const twin = ['--twin', 'examples/llm-serving', memory, clef];
    expect(json(...twin)).toMatchObject({
      verdict: 'allowed',
      source: { kind: 'twin' },
      paths: [{ client: { templateOnly: false }, port: 8080 }],
    });
    expect(netcheck(...twin, '--expect', 'denied').exitCode).toBe(7);
  });
});

describe('exit codes', () => {
  it.each([
    [0, [...example, memory, clef]],
    [7, ['-f', 'incident', memory, clef]],
    [8, [...example, '203.0.113.9', 'svc/poimen-graphql.poimen']],
    [0, ['-f', 'incident', memory, clef, '--expect', 'denied']],
    [7, ['-f', 'incident', memory, clef, '--expect', 'allowed']],
    [7, [...example, '203.0.113.9', 'svc/poimen-graphql.poimen', '--expect', 'allowed']],
    [0, [...example, '--only-from', 'ns/poimen', '--only-from', 'ns/llm-serving', clef]],
    [7, [...example, '--only-from', memory, clef]],
    [2, [...example, memory, clef, '--port', '8080']],
  ])('%i: netcheck %j', (exitCode, args) => expect(netcheck(...args).exitCode).toBe(exitCode));
});

describe('json is what the schema says', () => {
  it.each([
    ['an allowed path', [...example, memory, clef]],
    ['a denied one with its fix', ['-f', 'incident', memory, clef, '--fix', '--expect', 'allowed']],
    ['who else', [...example, '--only-from', memory, clef]],
    ['a range of addresses', [...example, memory, '10.0.0.0/8', '--port', '443']],
    ['a described client', [...example, '--as', 'app=x,ns=default', clef]],
    ['the twin', ['--twin', 'examples/llm-serving', memory, clef]],
  ])('%s', (_what, args) => expect(violations(schema, json(...args))).toEqual([]));

  it('the halves of the path that decides are at the top', () => {
    expect(json('-f', 'incident', memory, clef)).toMatchObject({
      verdict: 'denied',
      egress: {
        verdict: 'allowed',
        policy: 'poimen/poimen-memory-llm-egress',
        rule: 0,
        source: 'incident/poimen-memory-llm-egress.yaml:15',
      },
      ingress: { verdict: 'denied', policy: 'llm-serving/llm-serving-ingress', source: 'incident/llm-serving-ingress.yaml:6' },
    });
  });
});

it('junit: one test, failed with the reason', () => {
  expect(netcheck('-f', 'incident', memory, clef, '--expect', 'allowed', '-o', 'junit').stdout).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="poimen netcheck" tests="1" failures="1">
  <testcase classname="netcheck" name="deployment/poimen-memory.poimen -&gt; svc/clef-serve.llm-serving TCP 80 is allowed">
    <failure message="it is denied">egress: poimen/poimen-memory-llm-egress allows it (egress rule 0)
ingress: llm-serving/llm-serving-ingress isolates the pod and has no rule for pod poimen/poimen-memory on TCP 8080</failure>
  </testcase>
</testsuite>
`);
  expect(netcheck(...example, memory, clef, '-o', 'junit').stdout).toContain('tests="1" failures="0"');
});

describe('mistakes, each with what to do', () => {
  it.each([
    [
      [...example, memory, clef, '--port', '8080'],
      `error: svc/clef-serve.llm-serving has no port 8080, it has 80 (http) -> 8080
  8080 is the port of its pods: a client of the Service dials 80
  next: --port 80
`,
    ],
    [[...example, memory, clef, '--port', '9999'], 'error: svc/clef-serve.llm-serving has no port 9999, it has 80 (http) -> 8080\n'],
    [
      [...example, memory, 'svc/coder-predictor.llm-serving'],
      `error: --port is missing
  svc/coder-predictor.llm-serving has the ports 80 (http) -> 8080, 8080 (http-8080) -> 8080
  next: say which port is dialled: --port 80
`,
    ],
    [
      [...example, 'poimen-memory.poimen', clef],
      `error: FROM: "poimen-memory" can be svc/poimen-memory.poimen or deploy/poimen-memory.poimen
  next: write which one is meant: svc/poimen-memory.poimen
`,
    ],
    [
      [...example, memory, 'svc/clef-serv.llm-serving'],
      `error: TO: there is no service clef-serv in llm-serving
  next: did you mean svc/clef-serve.llm-serving?
`,
    ],
    [
      [...example, memory, clef, '--cni', 'calicoo'],
      `error: nothing is known of a network plugin "calicoo"
  known: antrea, aws, calico, cilium, kube-router, ovn
  next: did you mean --cni calico?
`,
    ],
    [
      [...example, memory],
      `error: FROM and TO are needed
  next: poimen netcheck deploy/CLIENT.NAMESPACE svc/NAME.NAMESPACE --port 80
  next: poimen netcheck --as app=x,ns=NAMESPACE svc/NAME.NAMESPACE --port 80
`,
    ],
    [
      [...example, '--as', 'jane', clef],
      'error: there is no user jane to act as without a cluster\n  next: for a client that does not exist yet: --as app=x,ns=NAMESPACE\n',
    ],
    [[...example, '--matrix', memory], 'error: --matrix is about everybody: deploy/poimen-memory.poimen cannot stand here\n'],
    [[...example, '--only-from', memory, clef, '--fix'], 'error: --fix cannot be used with --only-from\n  next: leave it out\n'],
    [[...example, memory, clef, '-o', 'dot'], 'error: -o dot does not fit here\n  next: -o json, -o yaml, -o junit\n'],
  ])('%j', (args, stderr) => expect(netcheck(...args)).toEqual({ exitCode: 2, stdout: '', stderr }));

  it('a policy that an API server would refuse is told with its place, and the rest goes on', () => {
    poimen.write('flawed/all.yaml', readFileSync(join(root, 'examples/llm-serving/clef-serve.yaml'), 'utf8'));
    poimen.write(
      'flawed/bad.yaml',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: bad, namespace: llm-serving}\nspec:\n  podSelector: {}\n  ingress:\n    - ports:\n        - {port: 99999}\n',
    );
    const { stdout, exitCode } = netcheck('-f', 'flawed', '--as', 'app=x,ns=llm-serving', clef);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/caution: flawed\/bad\.yaml:8: NetworkPolicy bad: .*left out/);
  });
});
