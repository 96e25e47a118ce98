import { expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/cluster.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import type { Resource } from '../../src/kubernetes/resource.ts';
import { takeInventory } from '../../src/network/inventory/inventory.ts';
import type { Answer } from '../../src/network/query/answer.ts';
import { answerQuestion } from '../../src/network/query/answer-question.ts';
import { parseEnd } from '../../src/network/query/end-text.ts';
import { findEnd } from '../../src/network/query/find-end.ts';
import { readClusterNetwork } from '../../src/operations/read-cluster-network.ts';
import { netcheck } from '../../src/operations/netcheck.ts';
import { contract } from './contract.ts';
import { atWorkbench, isReady, server, type Workbench } from './controllers/workloads.ts';
import { connectReal, describeOnRealCluster, kubeconfigPath, newNamespace } from './live/real-cluster.ts';
import { resources, service, written } from './objects.ts';

const shut = (namespace: string, rules: readonly object[] = []): KubernetesObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'web', namespace },
  spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'], ingress: rules },
});

const ask = async (cluster: Cluster, namespace: string, from: string, to: string): Promise<Answer> => {
  const { objects, gaps } = await readClusterNetwork(cluster, [namespace]);
  const inventory = takeInventory(
    objects.map((object) => ({ object })),
    gaps,
  );
  const [client, target] = [from, to].map((text) => {
    const parsed = parseEnd(text);
    if (parsed.kind === 'error') throw new Error(parsed.message);
    return findEnd(parsed.end, { inventory, namespace, role: 'an end' });
  });
  if (client === undefined || target === undefined) throw new Error('two ends');
  return answerQuestion(inventory, { from: client, to: target }).answer;
};

/** What does not differ from one cluster to the next: names of pods and namespaces do. */
const seen = ({ verdict, paths, notes }: Answer) => ({
  verdict,
  paths: paths.map(({ client, server: { templateOnly, pods }, port, egress, ingress }) => [
    client.pods.length,
    pods.length,
    templateOnly,
    port,
    egress.verdict,
    ingress.verdict,
  ]),
  notes: notes.map(({ code }) => code),
});

const withClientAndServer = (work: (bench: Workbench) => Promise<void>) =>
  atWorkbench(async (bench) => {
    await bench.create(resources.services, service(bench.namespace, 'web'));
    for (const name of ['web', 'till']) await bench.create(resources.deployments, server(bench.namespace, name));
    await bench.untilPods((pods) => pods.length === 2 && pods.every(isReady));
    await bench.untilSlices((slices) => slices.some(({ endpoints }) => endpoints?.[0]?.conditions?.ready === true));
    await work(bench);
  });

contract('netcheck of a cluster', (behaviour) => {
  behaviour(
    'pods that run are judged, behind the ports of their EndpointSlices',
    withClientAndServer(async ({ subject, namespace }) => {
      expect(seen(await ask(subject.cluster, namespace, 'deploy/till', 'svc/web'))).toEqual({
        verdict: 'allowed',
        paths: [[1, 1, false, 8080, 'allowed', 'allowed']],
        notes: [],
      });
    }),
  );

  behaviour(
    'a policy shuts the half that it is about, by name as by address',
    withClientAndServer(async (bench) => {
      const { subject, namespace } = bench;
      await bench.create(resources.networkPolicies, shut(namespace));
      const denied = { verdict: 'denied', paths: [[1, 1, false, 8080, 'allowed', 'denied']], notes: [] };
      expect(seen(await ask(subject.cluster, namespace, 'deploy/till', 'svc/web'))).toEqual(denied);
      const till = (await bench.pods()).find(({ metadata }) => metadata.labels?.['app'] === 'till');
      expect(seen(await ask(subject.cluster, namespace, till?.status?.podIP ?? '', 'svc/web'))).toEqual(denied);
      const { spec } = await bench.get<KubernetesObject & { spec: { clusterIP: string } }>(resources.services, 'web');
      expect(seen(await ask(subject.cluster, namespace, 'deploy/till', spec.clusterIP))).toEqual(denied);
    }),
  );

  behaviour(
    'a workload at zero is judged by its template, and nobody is behind the Service',
    withClientAndServer(async (bench) => {
      const { subject, namespace } = bench;
      await bench.scale('web', 0);
      await bench.untilPods((pods) => pods.length === 1);
      await bench.untilSlices((slices) => slices.every(({ endpoints }) => (endpoints ?? []).length === 0));
      expect(seen(await ask(subject.cluster, namespace, 'deploy/till', 'svc/web'))).toEqual({
        verdict: 'allowed',
        paths: [[1, 0, true, 8080, 'allowed', 'allowed']],
        notes: ['NobodyBehind', 'TemplateOnly'],
      });
    }),
  );
});

const rbac = (plural: string, kind: string): Resource => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});

describeOnRealCluster('netcheck without all rights', () => {
  it('says what may not be listed, reads the namespaces that the question names, and depends where policies may be missing', async () => {
    const administrator = await connectReal();
    const [own, other] = [await newNamespace(administrator), await newNamespace(administrator)];
    for (const namespace of [own, other]) {
      await administrator.create(resources.deployments, server(namespace, 'web', { replicas: 0 }), written);
      await administrator.create(resources.services, service(namespace, 'web'), written);
    }
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'viewer', namespace: own },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
    };
    await administrator.create(rbac('rolebindings', 'RoleBinding'), binding, written);
    const source = { kind: 'cluster', flags: { kubeconfig: kubeconfigPath(), as: 'viewer', namespace: own } } as const;
    const context = {
      env: {},
      workingDirectory: '/',
      homeDirectory: '/',
      packageDirectory: '/',
      operator: 'test',
      randomBytes: () => new Uint8Array(),
    };
    const query = (from: string, to: string) => netcheck({ source, from, to, fix: false }, context);

    await expect.poll(() => query('deploy/web', 'svc/web').then(({ verdict }) => verdict, String), { timeout: 10_000 }).toBe('allowed');
    const { notes } = await query('deploy/web', 'svc/web');
    expect(notes.map(({ text }) => text)).toContainEqual(expect.stringContaining('networkpolicies.networking.k8s.io is forbidden'));
    expect(notes.map(({ text }) => text)).toContainEqual(expect.stringContaining('namespaces is forbidden'));

    await expect(query(`deploy/web.${other}`, 'svc/web')).rejects.toMatchObject({
      code: 'UnknownNamespace',
      detail: expect.stringContaining('deployments.apps is forbidden') as string,
    });
    const described = await query(`as:app=x,ns=${other}`, 'svc/web');
    expect(described).toMatchObject({
      verdict: 'depends',
      egress: { dependsOn: [`networkpolicies.networking.k8s.io, which may not be listed outside ${own}`] },
    });
  });
});
