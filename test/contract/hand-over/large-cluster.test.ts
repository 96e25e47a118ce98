import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import { fieldManager, type Cluster } from '../../../src/cluster/cluster.ts';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import type { EndpointSlice } from '../../../src/kubernetes/endpoint-slice.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { apiVersionOf, type Resource } from '../../../src/kubernetes/resource.ts';
import { clusterPolicyResources } from '../../../src/network/policy/policy-resources.ts';
import { planOn, type PlannedRun } from '../../../src/operations/plan-runbook.ts';
import { loadRunbook } from '../../../src/runbook/load-runbook.ts';
import { readAuditLog } from '../../cluster/audit-log.ts';
import { bystanderApp, createBystanders, createPlainNodes } from '../../cluster/bystanders.ts';
import { startControlPlane, type ControlPlane } from '../../cluster/control-plane.ts';
import { startCountingProxy } from '../../cluster/counting-proxy.ts';
import { createFakeNode, startKwok } from '../../cluster/kwok.ts';
import { server } from '../controllers/workloads.ts';
import { eventually } from '../eventually.ts';
import { describeOnRealCluster } from '../live/real-cluster.ts';
import { resources, service } from '../objects.ts';
import { readyPodsOf } from './hand-over-bench.ts';

/*
 * What a plan and a run read of a real API server: the same requests, of the same size, whatever else there is in the cluster. On a control plane
 * of its own, because an audit log is needed and a thousand pods would be in everybody's way.
 */

const others = { namespaces: 40, nodes: 10 };
const masters = { groups: ['system:masters'] };
const written = { fieldManager };

let folder: string;
let controlPlane: ControlPlane;
let administrator: Cluster;

describeOnRealCluster('a hand-over in a large cluster', () => {
  beforeAll(async () => {
    if (inject('realControlPlane').missing !== undefined) return;
    folder = await mkdtemp(join(tmpdir(), 'poimen-large-'));
    const users = [{ name: 'alone', ...masters }, { name: 'among-many', ...masters }, { name: 'tenant' }];
    controlPlane = await startControlPlane({ auditLog: join(folder, 'audit.log'), users });
    await startKwok(controlPlane, { ignoredApp: bystanderApp });
    await createFakeNode(controlPlane);
    await createPlainNodes(controlPlane, others);
    administrator = (await connectLive({ kubeconfig: controlPlane.kubeconfig, requestTimeoutMs: 30_000, env: {} })).cluster;
    await createHandOver();
  });

  afterAll(async () => {
    await administrator?.close();
    await controlPlane?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('reads the same of 1,000 pods in 40 namespaces as of a handful, and nothing of the whole cluster that does not decide', async () => {
    const alone = await measure('alone');
    await handBack();
    await createBystanders(administrator, 1_000, others);
    const amongMany = await measure('among-many');

    expect(amongMany.planned.requests).toEqual(alone.planned.requests);
    expect(amongMany.run.requests).toEqual(alone.run.requests);
    expect(Math.abs(amongMany.planned.bytes / alone.planned.bytes - 1)).toBeLessThan(0.1);
    expect(Math.abs(amongMany.run.bytes / alone.run.bytes - 1)).toBeLessThan(0.1);

    const all = [...amongMany.planned.requests, ...amongMany.run.requests];
    expect([...new Set(all.filter((request) => !request.includes('/namespaces/')))].toSorted()).toEqual(
      [
        'list /api/v1/namespaces?labelSelector=kubernetes.io/metadata.name in (clients,serving)&limit=500',
        'list /api/v1/nodes?limit=500',
        'list /api/v1/pods?fieldSelector=spec.nodeName=,status.phase=Pending&limit=500',
        'list /api/v1/pods?fieldSelector=spec.nodeName=worker-1&limit=500',
        'list /apis/autoscaling/v2/horizontalpodautoscalers?limit=500',
        'list /apis/keda.sh/v1alpha1/scaledobjects?limit=500',
        'list /apis/node.k8s.io/v1/runtimeclasses?limit=500',
        ...clusterPolicyResources.map(({ version, plural }) => `list /apis/policy.networking.k8s.io/${version}/${plural}?limit=500`),
      ].toSorted(),
    );
    // five lists, five watches, and the one list that confirms that the old pods are gone: with its three writes, the 14 of the script it replaces
    const onTargets = /^\w+ \S+\/serving\/(pods|services|deployments|replicasets|endpointslices)\b/;
    expect(all.filter((request) => onTargets.test(request))).toHaveLength(11);
    expect(all.filter((request) => request.startsWith('watch ')).toSorted()).toEqual([
      'watch /api/v1/namespaces/serving/pods',
      'watch /api/v1/namespaces/serving/services',
      'watch /apis/apps/v1/namespaces/serving/deployments',
      'watch /apis/apps/v1/namespaces/serving/replicasets',
      'watch /apis/discovery.k8s.io/v1/namespaces/serving/endpointslices?labelSelector=kubernetes.io/service-name=front',
    ]);
  }, 240_000);

  it('says what it cannot see to who may work in two namespaces only, and lets them go on', async () => {
    await handBack();
    await serveClusterPolicies();
    await grantTenant();
    const { cluster } = await connectLive({
      kubeconfig: controlPlane.users['tenant']?.kubeconfig ?? '',
      requestTimeoutMs: 30_000,
      env: {},
    });
    try {
      // the authorizer watches roles: not at once
      await expect.poll(() => cluster.list({ resource: resources.nodes }), { timeout: 20_000 }).toMatchObject({ items: expect.anything() });
      const planned = await planAs(cluster);
      await planned.close();
      expect(planned.plan.blockers).toEqual([]);
      expect(planned.plan.warnings.map((warning) => warning.replace(/ is forbidden: .*/, ' is forbidden'))).toEqual([
        'whether the policies let deployment/client.clients to a pod of deployment/new.serving on TCP 8080 cannot be said: cluster-wide policies may deny it, which this user may not look at: clusternetworkpolicies.policy.networking.k8s.io is forbidden',
        'nobody knows whether pods of other namespaces leave the new ones room, or could take it: pods is forbidden',
        'nobody knows whether a workload of another namespace could be scaled up and take the devices: horizontalpodautoscalers.autoscaling is forbidden',
      ]);
    } finally {
      await cluster.close();
    }
  }, 120_000);
});

interface Measured {
  readonly requests: readonly string[];
  readonly bytes: number;
}

/** Plans and hands over, as a user whom the audit log knows by that name. */
const measure = async (user: string): Promise<{ readonly planned: Measured; readonly run: Measured }> => {
  const proxy = await startCountingProxy(controlPlane.server);
  const kubeconfig = join(folder, `${user}.kubeconfig`);
  const own = await readFile(controlPlane.users[user]?.kubeconfig ?? '', 'utf8');
  await writeFile(kubeconfig, own.replaceAll(controlPlane.server, proxy.url));
  const { cluster } = await connectLive({ kubeconfig, requestTimeoutMs: 30_000, env: {} });
  try {
    const open = await planAs(cluster);
    const planned = { requests: await readsOf(user), bytes: proxy.takeReceivedBytes() };
    const { outcome } = await open.run(() => undefined, new AbortController().signal);
    const requests = await readsOf(user);
    await open.close();
    expect([open.plan.blockers, open.plan.warnings, outcome]).toEqual([[], [], 'completed']);
    const inRun = requests.slice(planned.requests.length);
    return {
      planned: { ...planned, requests: planned.requests.toSorted() },
      run: { requests: inRun.toSorted(), bytes: proxy.takeReceivedBytes() },
    };
  } finally {
    await cluster.close();
    await proxy.close();
  }
};

/** `list /api/v1/nodes?limit=500`, in the order in which the API server's audit log has them. */
const readsOf = async (user: string): Promise<readonly string[]> => {
  const log = await readAuditLog(join(folder, 'audit.log'));
  return log
    .filter((request) => request.user === user && ['list', 'watch', 'get'].includes(request.verb))
    .map(({ verb, uri }) => `${verb} ${wordsOf(uri)}`);
};

const wordsOf = (uri: string): string => {
  const [path = '', query = ''] = uri.split('?');
  const kept = query.split('&').filter((part) => /^(labelSelector|fieldSelector|limit|continue)=/.test(part));
  return decodeURIComponent(kept.length === 0 ? path : `${path}?${kept.join('&')}`);
};

const planAs = (cluster: Cluster, reverse = false): Promise<PlannedRun> => {
  const text = JSON.stringify({
    apiVersion: 'poimen.dev/v1alpha1',
    kind: 'Runbook',
    metadata: { name: 'large', summary: 'front: from old to new' },
    objects: { service: 'svc/front.serving', from: 'deploy/old.serving', to: 'deploy/new.serving', client: 'deploy/client.clients' },
    steps: [{ id: 'hand-over', cutover: { service: 'service', from: 'from', to: 'to', client: 'client' } }],
  });
  const loaded = loadRunbook({ file: 'large.yaml', text, set: {}, reverse });
  if (loaded.kind === 'invalid') return expect.fail(JSON.stringify(loaded.diagnostics, undefined, 1));
  const open = { cluster, clock: systemClock, simulated: false, defaultNamespace: 'default', close: async () => undefined };
  return planOn(open, loaded.runbook, {
    probe: false,
    invocation: ['poimen', 'run', 'large.yaml'],
    context: { operator: 'somebody@somewhere', randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  });
};

const handBack = async (): Promise<void> => {
  const planned = await planAs(administrator, true);
  const { outcome } = await planned.run(() => undefined, new AbortController().signal);
  await planned.close();
  expect(outcome).toBe('completed');
};

const object = (resource: Resource, name: string, rest: Readonly<Record<string, unknown>>, namespace?: string): KubernetesObject => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  metadata: namespace === undefined ? { name } : { name, namespace },
  ...rest,
});

/** `old` serves with all four cards; `new` wants them; the client asks from another namespace. */
const createHandOver = async (): Promise<void> => {
  for (const name of ['serving', 'clients']) {
    await administrator.create(resources.namespaces, object(resources.namespaces, name, {}), written);
    await until({ resource: resources.serviceAccounts, namespace: name }, (accounts) => accounts.length > 0);
  }
  const fromClients = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'clients' } } }];
  const policy = { spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: fromClients }] } };
  await administrator.create(resources.networkPolicies, object(resources.networkPolicies, 'from-clients', policy, 'serving'), written);
  await administrator.create(resources.deployments, server('serving', 'old', { gpus: 4 }), written);
  await administrator.create(resources.deployments, server('serving', 'new', { gpus: 4, replicas: 0 }), written);
  await administrator.create(resources.deployments, server('clients', 'client'), written);
  const ports = [{ port: 80, targetPort: 8080 }];
  await administrator.create(resources.services, service('serving', 'front', { selector: { app: 'old' }, ports }), written);
  await until(
    { resource: resources.endpointSlices, namespace: 'serving' },
    (slices) => readyPodsOf(slices as readonly EndpointSlice[], 'front').length === 1,
  );
  await until({ resource: resources.pods, namespace: 'clients', fieldSelector: 'status.phase=Running' }, (pods) => pods.length === 1);
};

const until = (selection: Parameters<typeof eventually>[1], isAsWanted: Parameters<typeof eventually>[2]) =>
  eventually({ cluster: administrator, clock: systemClock }, selection, isAsWanted);

const serveClusterPolicies = async (): Promise<void> => {
  const [kind] = clusterPolicyResources;
  if (kind === undefined) throw new Error('no cluster-wide kind');
  const { group, version, plural } = kind;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const name = `${plural}.${group}`;
  const definition = {
    ...object(resources.customResourceDefinitions, name, {
      spec: {
        group,
        scope: 'Cluster',
        names: { plural, singular: kind.kind.toLowerCase(), kind: kind.kind },
        versions: [{ name: version, served: true, storage: true, schema }],
      },
    }),
    metadata: { name, annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } },
  };
  await administrator.create(resources.customResourceDefinitions, definition, written);
  await expect.poll(() => administrator.discover(group), { timeout: 20_000 }).toContainEqual(kind);
};

/** All of two namespaces, and what every tenant has to see of a cluster: its nodes, namespaces and RuntimeClasses. */
const grantTenant = async (): Promise<void> => {
  const rbac = (plural: string, kind: string, namespaced: boolean): Resource => ({
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    plural,
    kind,
    namespaced,
  });
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'tenant' }];
  const roleRef = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
  const roles = rbac('clusterroles', 'ClusterRole', false);
  const rules = [
    { apiGroups: [''], resources: ['nodes', 'namespaces'], verbs: ['list'] },
    { apiGroups: ['node.k8s.io'], resources: ['runtimeclasses'], verbs: ['list'] },
  ];
  await administrator.create(roles, object(roles, 'tenants-view', { rules }), written);
  const everywhere = rbac('clusterrolebindings', 'ClusterRoleBinding', false);
  await administrator.create(everywhere, object(everywhere, 'tenant', { subjects, roleRef: roleRef('tenants-view') }), written);
  const within = rbac('rolebindings', 'RoleBinding', true);
  for (const namespace of ['serving', 'clients'])
    await administrator.create(within, object(within, 'tenant', { subjects, roleRef: roleRef('admin') }, namespace), written);
};
