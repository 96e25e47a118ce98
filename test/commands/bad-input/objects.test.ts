import { describe, expect, it } from 'vitest';
import { InstalledPoimen } from './installed-poimen.ts';

const poimen = new InstalledPoimen();

const deployment = (
  name: string,
  replicas: number,
  more: { readonly namespace?: string; readonly label?: string; readonly paused?: boolean } = {},
) => `\
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${more.namespace ?? 'shop'}}
spec:
  replicas: ${replicas}
  paused: ${more.paused ?? false}
  selector: {matchLabels: {app: ${more.label ?? name}}}
  template:
    metadata: {labels: {app: ${more.label ?? name}}}
    spec: {containers: [{name: web, image: "registry.example/web:1", ports: [{containerPort: 8080}]}]}
`;

const front = 'selector: {app: blue}, ports: [{port: 80, targetPort: 8080}]';
const service = (spec = front, name = 'front') =>
  `---\n{apiVersion: v1, kind: Service, metadata: {name: ${name}, namespace: shop}, spec: {${spec}}}\n`;

const base = `\
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: attic}}
---
{apiVersion: v1, kind: Node, metadata: {name: worker-1}, status: {capacity: {cpu: "8", memory: 32Gi, pods: "20"}}}
`;

const handOver = ['cutover', 'svc/front', '-n', 'shop', '--from', 'deploy/blue', '--to', 'deploy/green', '--twin', 'shop'];

/** Refused with exactly these reasons: exit code 3, the reasons on stdout, nothing on stderr. */
const refusal = (...lines: readonly string[]) => ({
  exitCode: 3,
  stdout: `\
✖ front: refused; nothing was changed
on the twin of shop (simulated)

why: the plan is blocked
${lines.map((line) => `  ${line}\n`).join('')}`,
  stderr: '',
});

describe('objects that cannot be handed over', () => {
  it.each([
    [
      'a Service without selector',
      [deployment('blue', 1), deployment('green', 0), service('ports: [{port: 80}]')],
      refusal(
        '✖ service/front.shop has no selector: whoever writes its EndpointSlices decides where it leads (ServiceWithoutSelector)',
        '    next: give it the selector of the workload that serves now, or hand over another Service',
      ),
    ],
    [
      'a Service with an empty selector',
      [deployment('blue', 1), deployment('green', 0), service('selector: {}, ports: [{port: 80}]')],
      refusal(
        '✖ service/front.shop has no selector: whoever writes its EndpointSlices decides where it leads (ServiceWithoutSelector)',
        '    next: give it the selector of the workload that serves now, or hand over another Service',
      ),
    ],
    [
      'an ExternalName',
      [deployment('blue', 1), deployment('green', 0), service('type: ExternalName, externalName: shop.example')],
      refusal(
        '✖ service/front.shop is an ExternalName (shop.example): it has no pods to move (ServiceIsExternalName)',
        '    next: hand over the Service that this name leads to',
      ),
    ],
    [
      'a label that two workloads carry',
      [deployment('blue', 1), deployment('green', 0), deployment('other', 0, { label: 'green' }), service()],
      refusal(
        '✖ app=green also selects the pods of deployment/other: service/front.shop would split its traffic (SelectorMatchesTwoWorkloads)',
        '    next: give deployment/other another label, or remove it',
      ),
    ],
    [
      'a workload that is missing',
      [deployment('blue', 1), service()],
      refusal('✖ deployment/green.shop does not exist (ObjectMissing)', '    next: look for it: kubectl get deployments --all-namespaces'),
    ],
    [
      'a workload whose name is mistyped',
      [deployment('blue', 1), deployment('grene', 0), service()],
      refusal('✖ deployment/green.shop does not exist (ObjectMissing)', '    next: did you mean deployment/grene.shop?'),
    ],
    [
      'a workload in another namespace',
      [deployment('blue', 1), deployment('green', 0, { namespace: 'attic' }), service()],
      refusal('✖ deployment/green.shop does not exist (ObjectMissing)', '    next: did you mean deployment/green.attic?'),
    ],
    [
      'a Service that is missing',
      [deployment('blue', 1), deployment('green', 0)],
      refusal('✖ service/front.shop does not exist (ObjectMissing)', '    next: look for it: kubectl get services --all-namespaces'),
    ],
    [
      'a workload that is paused',
      [deployment('blue', 1), deployment('green', 0, { paused: true }), service()],
      refusal(
        '✖ deployment/green.shop is paused: its controller would not roll out what is changed (WorkloadPaused)',
        '    next: kubectl rollout resume -n shop deployment/green',
      ),
    ],
    [
      'several things at once: all of them are told',
      [deployment('blue', 1, { paused: true }), service('ports: [{port: 80}]')],
      refusal(
        '✖ deployment/green.shop does not exist (ObjectMissing)',
        '    next: look for it: kubectl get deployments --all-namespaces',
        '✖ deployment/blue.shop is paused: its controller would not roll out what is changed (WorkloadPaused)',
        '    next: kubectl rollout resume -n shop deployment/blue',
        '✖ service/front.shop has no selector: whoever writes its EndpointSlices decides where it leads (ServiceWithoutSelector)',
        '    next: give it the selector of the workload that serves now, or hand over another Service',
      ),
    ],
  ])('%s', (_, manifests, expected) => {
    poimen.write('shop/shop.yaml', [base, ...manifests].join(''));
    expect(poimen.run(...handOver, '--fresh', '--yes')).toEqual(expected);
  });

  it('from and to the same', () => {
    poimen.write('shop/shop.yaml', [base, deployment('blue', 1), service()].join(''));
    const same = ['cutover', 'svc/front', '-n', 'shop', '--from', 'deploy/blue', '--to', 'deployment/blue.shop', '--twin', 'shop'];
    expect(poimen.run(...same, '--fresh', '--yes')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `\
error: --from and --to name the same workload: deployment/blue.shop
  next: name the workload that is to take over: --to deploy/NAME
`,
    });
  });

  it('a reference that is none', () => {
    expect(poimen.run('cutover', 'svc/front', '--from', 'blue', '--to', 'deploy/green', '--twin', 'shop', '--fresh')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `\
error: --from: "blue": KIND/NAME or KIND/NAME.NAMESPACE is expected, such as deploy/clef-serve.llm-serving
`,
    });
  });
});
