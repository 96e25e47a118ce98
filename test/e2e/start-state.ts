import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RealNode } from '../cluster/node.ts';
import { eventually } from './eventually.ts';
import { startStateFile, untilClientIsAnswered } from './example.ts';

interface StoredObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

interface Deployment extends StoredObject {
  readonly spec: { readonly replicas: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly terminatingReplicas?: number;
  };
}

interface Pod extends StoredObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
}

/** Every object of the kinds below, by the path of its collection. */
export type StartState = Readonly<Record<string, readonly StoredObject[]>>;

const namespaces = ['llm-serving', 'poimen', 'default'];

/** Put back as they were. What a controller makes of them, pods above all, follows. */
const kinds = [
  '/api/v1/namespaces/NAMESPACE/services',
  '/apis/apps/v1/namespaces/NAMESPACE/deployments',
  '/apis/networking.k8s.io/v1/namespaces/NAMESPACE/networkpolicies',
  '/api/v1/namespaces/NAMESPACE/configmaps',
  '/apis/coordination.k8s.io/v1/namespaces/NAMESPACE/leases',
  '/apis/autoscaling/v2/namespaces/NAMESPACE/horizontalpodautoscalers',
  '/apis/policy/v1/namespaces/NAMESPACE/poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/roles',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/rolebindings',
];

const collections = namespaces.flatMap((namespace) => kinds.map((kind) => kind.replace('NAMESPACE', namespace)));

/** Of a node with nothing but the freshly loaded example on it. */
export async function captureStartState(node: RealNode): Promise<StartState> {
  return Object.fromEntries(await Promise.all(collections.map(async (collection) => [collection, await list(node, collection)] as const)));
}

/**
 * Brings the example back to its start state, whatever a test did to it: foreign objects go, changed ones are written back, pods that are
 * not of the start state are deleted with one second of grace. Pods that are as they were stay. Done when the client is answered.
 *
 * A test that makes objects outside the namespaces llm-serving, poimen and default, or of other kinds, removes them itself.
 */
export async function resetToStartState(node: RealNode): Promise<void> {
  const start = JSON.parse(await readFile(startStateFile(node), 'utf8')) as StartState;
  await node.request('PATCH', `/api/v1/nodes/${node.nodeName}`, { spec: { unschedulable: null, taints: null } });
  await Promise.all(collections.map((collection) => restore(node, collection, start[collection] ?? [])));
  await eventually('the example is as it was at the start', () => isAsAtStart(node, start), 60_000);
  await untilClientIsAnswered(node);
}

async function restore(node: RealNode, collection: string, wanted: readonly StoredObject[]): Promise<void> {
  const present = await list(node, collection);
  for (const object of present)
    if (wanted.every(({ metadata }) => metadata.name !== object.metadata.name))
      await node.request('DELETE', `${collection}/${object.metadata.name}`, { propagationPolicy: 'Background' });
  for (const object of wanted) {
    const before = present.find(({ metadata }) => metadata.name === object.metadata.name);
    if (before === undefined) await mustSucceed(node, 'POST', collection, asManifest(object));
    else if (isDeepStrictEqual(asManifest(before), asManifest(object))) continue;
    else await mustSucceed(node, 'PUT', `${collection}/${object.metadata.name}`, asManifest(object));
  }
}

/** Settled, with no pod that was not there at the start. Those that are in the way are told to go, as often as there are some. */
async function isAsAtStart(node: RealNode, start: StartState): Promise<true | string> {
  const pods = (await Promise.all(namespaces.map((namespace) => removeForeignPods(node, namespace)))).flat();
  for (const namespace of namespaces) {
    const deployments = (await list(node, `/apis/apps/v1/namespaces/${namespace}/deployments`)) as readonly Deployment[];
    const wanted = (start[`/apis/apps/v1/namespaces/${namespace}/deployments`] ?? []) as readonly Deployment[];
    if (deployments.length !== wanted.length) return `${namespace}: deployments ${namesOf(deployments)}`;
    for (const deployment of deployments)
      if (!isSettled(deployment)) return `deployment/${deployment.metadata.name}.${namespace}: ${JSON.stringify(deployment.status)}`;
    const present = pods.filter(({ metadata }) => metadata.namespace === namespace);
    const count = wanted.reduce((sum, { spec }) => sum + spec.replicas, 0);
    if (present.length !== count || present.some((pod) => !isReady(pod)))
      return `${namespace}: pods ${namesOf(present)}, not ready: ${namesOf(present.filter((pod) => !isReady(pod)))}`;
  }
  return true;
}

/** The pods of the namespace, those included that are on their way out. */
async function removeForeignPods(node: RealNode, namespace: string): Promise<readonly Pod[]> {
  const replicaSets = await list(node, `/apis/apps/v1/namespaces/${namespace}/replicasets`);
  const pods = (await list(node, `/api/v1/namespaces/${namespace}/pods`)) as readonly Pod[];
  const wanting = replicaSets.filter(({ metadata, spec }) => spec?.['replicas'] !== 0 && metadata.ownerReferences !== undefined);
  const foreign = pods.filter((pod) => !belongs(pod, wanting));
  for (const { metadata } of foreign)
    await node.request('DELETE', `/api/v1/namespaces/${namespace}/pods/${metadata.name}`, { gracePeriodSeconds: 1 });
  return pods;
}

const namesOf = (objects: readonly StoredObject[]): string => objects.map(({ metadata }) => metadata.name).join(', ') || 'none';

/** Of a replica set that wants pods, alive, never restarted. */
const belongs = ({ metadata, status }: Pod, replicaSets: readonly StoredObject[]): boolean =>
  metadata.deletionTimestamp === undefined &&
  replicaSets.some((replicaSet) => metadata.ownerReferences?.some(({ uid }) => uid === replicaSet.metadata.uid)) &&
  (status?.phase === 'Running' || status?.phase === 'Pending') &&
  (status.containerStatuses ?? []).every(({ restartCount }) => restartCount === 0);

const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false);

function isSettled({ metadata, spec, status }: Deployment): boolean {
  const counts = [status?.replicas ?? 0, status?.updatedReplicas ?? 0, status?.readyReplicas ?? 0];
  return status?.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas);
}

/** What a person would have written; the server's own fields are left out. */
function asManifest({ metadata, spec, data, ...rest }: StoredObject & { readonly status?: unknown }): StoredObject {
  const { name, namespace, labels, annotations } = metadata;
  const { status: _status, ...others } = rest;
  const written = Object.entries(annotations ?? {}).filter(([key]) => key !== 'deployment.kubernetes.io/revision');
  return {
    ...others,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels: labels ?? {}, annotations: Object.fromEntries(written) },
    ...(spec === undefined ? {} : { spec }),
    ...(data === undefined ? {} : { data }),
  };
}

async function list(node: RealNode, collection: string): Promise<readonly StoredObject[]> {
  const { status, body } = await node.request('GET', collection);
  if (status !== 200) throw new Error(`GET ${collection}: ${status} ${JSON.stringify(body)}`);
  return (body as { readonly items: readonly StoredObject[] }).items;
}

async function mustSucceed(node: RealNode, method: string, path: string, object: unknown): Promise<void> {
  const { status, body } = await node.request(method, path, object);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
}
