import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ControlPlane } from '../../cluster/control-plane.ts';
import { startControlPlaneWithFakeNode } from '../../cluster/with-fake-node.ts';
import { waitUntil } from '../../cluster/processes.ts';
import { InstalledPoimen } from '../../commands/bad-input/installed-poimen.ts';

// What users see who may not do everything. A control plane of its own: the users have to be known when it starts.

const { missing } = inject('realControlPlane');
const handOver = ['cutover', 'svc/front', '-n', 'shop', '--from', 'deploy/blue', '--to', 'deploy/green', '--no-probe'];
const words = handOver.join(' ');

const rules = {
  read: { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
  record: { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] },
  scale: { apiGroups: ['apps'], resources: ['deployments'], verbs: ['patch'] },
  switch: { apiGroups: [''], resources: ['services'], verbs: ['patch'] },
  /** All that `read` allows in one namespace, and what a hand-over has to know of others; Services are not part of that. */
  readButServices: {
    apiGroups: ['', 'apps', 'batch', 'autoscaling', 'networking.k8s.io', 'node.k8s.io', 'discovery.k8s.io', 'keda.sh', 'serving.kserve.io'],
    resources: 'pods nodes namespaces persistentvolumeclaims replicationcontrollers deployments replicasets statefulsets daemonsets jobs'
      .split(' ')
      .concat('horizontalpodautoscalers networkpolicies runtimeclasses endpointslices scaledobjects inferenceservices'.split(' ')),
    verbs: ['get', 'list', 'watch'],
  },
} as const;

const users = {
  nobody: [],
  'no-scale': ['read', 'record', 'switch'],
  'no-record': ['read', 'scale', 'switch'],
  'no-switch': ['read', 'record', 'scale'],
  'loses-switch': ['read', 'record', 'scale'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof rules)[]>>;

describe.skipIf(missing !== undefined)(`limited users${missing === undefined ? '' : ` (left out: ${missing} missing)`}`, () => {
  const poimen = new InstalledPoimen();
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startControlPlaneWithFakeNode({ users: [...Object.keys(users), 'half-blind'].map((name) => ({ name })) });
    await post('/api/v1/namespaces', { metadata: { name: 'shop' } });
    for (const [name, allowed] of Object.entries(users))
      await allow(
        name,
        name,
        allowed.map((rule) => rules[rule]),
      );
    await allow('loses-switch', 'switch', [rules.switch]);
    await allow('half-blind', 'half-blind', [rules.readButServices, rules.record, rules.scale]);
    await post(`${rbac}/namespaces/shop/roles`, {
      metadata: { name: 'services' },
      rules: [{ ...rules.switch, verbs: ['get', 'list', 'watch', 'patch'] }],
    });
    await post(`${rbac}/namespaces/shop/rolebindings`, { metadata: { name: 'services' }, ...binding('Role', 'services', 'half-blind') });
    await post('/apis/apps/v1/namespaces/shop/deployments', deployment('blue', 1));
    await post('/apis/apps/v1/namespaces/shop/deployments', deployment('green', 0));
    await post('/api/v1/namespaces/shop/services', {
      metadata: { name: 'front' },
      spec: { selector: { app: 'blue' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    await waitUntil('deployment blue', [], 20_000, async () => (await blue()).status.readyReplicas === 1);
  });

  afterAll(() => controlPlane.stop());

  const rbac = '/apis/rbac.authorization.k8s.io/v1';

  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await controlPlane.request('POST', path, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer));
  };

  const binding = (kind: 'Role' | 'ClusterRole', name: string, user: string) => ({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
  });

  const allow = async (user: string, name: string, allowed: readonly unknown[]): Promise<void> => {
    await post(`${rbac}/clusterroles`, { metadata: { name }, rules: allowed });
    await post(`${rbac}/clusterrolebindings`, { metadata: { name }, ...binding('ClusterRole', name, user) });
  };

  const blue = async () =>
    (await controlPlane.request('GET', '/apis/apps/v1/namespaces/shop/deployments/blue')).body as {
      readonly spec: { readonly replicas: number };
      readonly status: { readonly readyReplicas?: number };
    };

  const as = (user: string): readonly string[] => ['--kubeconfig', controlPlane.users[user]?.kubeconfig ?? ''];

  it('a token that the server does not know: 401', async () => {
    const kubeconfig = join(poimen.folder, 'stranger');
    const cluster = {
      server: controlPlane.server,
      'certificate-authority-data': Buffer.from(controlPlane.certificateAuthority).toString('base64'),
    };
    const config = {
      'current-context': 'shop',
      contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'jane' } }],
      clusters: [{ name: 'shop', cluster }],
      users: [{ name: 'jane', user: { token: 'no-such-token' } }],
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    expect(poimen.run(...handOver, '--kubeconfig', 'stranger')).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: `\
error: ${controlPlane.server} does not accept the credentials of user "jane"
  Error from server (Unauthorized): Unauthorized
  next: log in again (the token or certificate may have expired)
  next: check with: kubectl --context shop auth whoami
`,
    });
  });

  it('a user who may not even look: 403 with the Role that would help', () => {
    const { exitCode, stdout, stderr } = poimen.run(...handOver, ...as('nobody'));
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    // several lists are asked for at once: whichever is refused first
    const [, resource = '', group = ''] = /may not list (\w+)(?: \(([\w.]+)\))? in shop\n/.exec(stderr) ?? [];
    const full = group === '' ? resource : `${resource}.${group}`;
    expect(stderr).toBe(`\
error: user "nobody" may not list ${resource}${group === '' ? '' : ` (${group})`} in shop
  Error from server (Forbidden): ${full} is forbidden: User "nobody" cannot list resource "${resource}" in API group "${group}" in the namespace "shop"
  next: have someone with the right to do so create this, and bind it to "nobody":
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: poimen, namespace: shop}
rules:
- {apiGroups: ["${group}"], resources: ["${resource}"], verbs: ["list"]}
`);
  });

  it.each([
    [
      'no-scale',
      ['patch deployments (apps) in shop: deployment/blue.shop', '{apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"]}'],
      ['patch deployments (apps) in shop: deployment/green.shop', '{apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"]}'],
    ],
    [
      'no-record',
      ['create configmaps in shop: the record of the run', '{apiGroups: [""], resources: ["configmaps"], verbs: ["create"]}'],
      ['patch configmaps in shop: the record of the run', '{apiGroups: [""], resources: ["configmaps"], verbs: ["patch"]}'],
    ],
    ['no-switch', ['patch services in shop: service/front.shop', '{apiGroups: [""], resources: ["services"], verbs: ["patch"]}']],
  ])('%s: a write that is not allowed is told before the first one', async (user, ...forbidden) => {
    const reasons = forbidden.map(
      ([what, rule]) =>
        `  ✖ user "${user}" may not ${what} (ForbiddenToWrite)\n      next: have this rule added to a Role of "${user}" in shop: ${rule}\n`,
    );
    expect(poimen.run(...handOver, '--yes', ...as(user))).toEqual({
      exitCode: 3,
      stdout: `\
✖ front: refused; nothing was changed
on context test (${controlPlane.server}) as ${user}

why: the plan is blocked
${reasons.join('')}
not probed: reachability is judged by readiness, EndpointSlices and policies
`,
      stderr: '',
    });
    expect((await blue()).spec.replicas).toBe(1);
  });

  it('who may not list Services elsewhere plans all the same', () => {
    const planned = poimen.run(...handOver, ...as('half-blind'));
    expect(planned).toMatchObject({ exitCode: 3, stdout: '' });
    expect(planned.stderr).toContain('error: this run needs a yes');
  });

  it('a workload that is being deleted', async () => {
    const path = '/apis/apps/v1/namespaces/shop/deployments';
    const leaving = deployment('leaving', 0);
    await post(path, { ...leaving, metadata: { ...leaving.metadata, finalizers: ['example.com/keep'] } });
    await controlPlane.request('DELETE', `${path}/leaving`);
    const toLeaving = handOver.map((word) => (word === 'deploy/green' ? 'deploy/leaving' : word));
    const { exitCode, stdout, stderr } = poimen.run(...toLeaving, '--kubeconfig', controlPlane.kubeconfig);
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: '' });
    expect(stdout.replace(/since [\dT:Z-]+,/, 'since THEN,')).toBe(`\
✖ front: refused; nothing was changed
on context test (${controlPlane.server}) as admin

why: the plan is blocked
  ✖ deployment/leaving.shop is being deleted (since THEN, held by finalizers example.com/keep) (ObjectBeingDeleted)
      next: wait until it is gone, and create it again if it is still needed

not probed: reachability is judged by readiness, EndpointSlices and policies
`);
  });

  it('a right that is lost half-way: halted, with what is done and how to go on; with the right it goes on', async () => {
    const lost = async () => void (await controlPlane.request('DELETE', `${rbac}/clusterrolebindings/switch`));
    const halted = await poimen.at([...handOver, '--yes', ...as('loses-switch')], 'waiting: ', lost);
    expect(halted.exitCode).toBe(5);
    expect(halted.stdout).toMatch(/^✖ front: halted after /);
    expect(halted.stdout).toContain(`
why at hand-over/switch: user "loses-switch" may not patch services in shop: front: Error from server (Forbidden): services "front" is forbidden: User "loses-switch" cannot patch resource "services" in API group "" in the namespace "shop"
`);
    expect(halted.stdout).toContain(`
changed so far
  deployment/blue.shop  replicas 1 -> 0
  deployment/green.shop  replicas 0 -> 1
`);
    const kubeconfig = as('loses-switch')[1] ?? '';
    expect(
      halted.stdout.endsWith(`
to go on: poimen ${words} --kubeconfig ${kubeconfig}
to go back: poimen ${words} --kubeconfig ${kubeconfig} --reverse
`),
    ).toBe(true);

    expect(poimen.run(...handOver, '--yes', ...as('loses-switch')).stdout).toContain('may not patch services in shop');
    await post(`${rbac}/clusterrolebindings`, { metadata: { name: 'switch' }, ...binding('ClusterRole', 'switch', 'loses-switch') });
    await expect.poll(() => poimen.run(...handOver, '--yes', ...as('loses-switch')).exitCode, { timeout: 20_000 }).toBe(0);
  });
});

const deployment = (name: string, replicas: number) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations: { 'twin.poimen.dev/terminate': '1s', 'twin.poimen.dev/start': '1s' } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'web', image: 'registry.example/web:1', ports: [{ containerPort: 8080 }] }],
      },
    },
  },
});
