import { isApiError } from '../cluster/api-error.ts';
import type { Cluster, ListOptions, ReadOptions } from '../cluster/cluster.ts';
import { unansweredWords } from '../cluster/unanswered.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { qualifiedName, resources, type Resource } from '../kubernetes/resource.ts';
import type { Gap } from '../network/inventory/gap.ts';
import { podTemplateKinds } from '../network/inventory/pod-template-kinds.ts';
import { unevaluatedGroups, unevaluatedKindOf } from '../network/inventory/unevaluated-policies.ts';
import { keepForNetwork } from './keep-for-network.ts';

const ingresses: Resource = { group: 'networking.k8s.io', version: 'v1', plural: 'ingresses', kind: 'Ingress', namespaced: true };

/** Present in every cluster. ReplicaSets are left out, of which most are old: a pod's name tells its Deployment. */
const builtIn: readonly Resource[] = [
  resources.namespaces,
  resources.nodes,
  resources.pods,
  resources.services,
  resources.endpointSlices,
  resources.networkPolicies,
  ingresses,
  ...podTemplateKinds.map(({ resource }) => resource).filter((resource) => isBuiltInWorkload(resource) && resource.kind !== 'ReplicaSet'),
];

function isBuiltInWorkload({ group }: Resource): boolean {
  return ['', 'apps', 'batch'].includes(group);
}

const routeKinds: ReadonlySet<string> = new Set(['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute']);

/** Groups of custom resources that may have something to say, and which of their kinds do. */
const customGroups = new Map<string, (resource: Resource) => boolean>([
  ['policy.networking.k8s.io', () => true],
  ['gateway.networking.k8s.io', ({ kind }) => routeKinds.has(kind)],
  ...unevaluatedGroups.map((group) => [group, isUnevaluated] as const),
  ...podTemplateKinds
    .filter(({ resource }) => !isBuiltInWorkload(resource))
    .map(({ resource }) => [resource.group, isPodTemplateKind] as const),
]);

function isUnevaluated({ group, version, kind }: Resource): boolean {
  return unevaluatedKindOf({ apiVersion: `${group}/${version}`, kind }) !== undefined;
}

function isPodTemplateKind({ group, kind }: Resource): boolean {
  return podTemplateKinds.some(({ resource }) => resource.group === group && resource.kind === kind);
}

export interface ClusterObjects {
  readonly objects: readonly KubernetesObject[];
  readonly gaps: readonly Gap[];
}

/**
 * Everything that decides over connections in a cluster. Where a list over all namespaces is forbidden, the `namespaces` that matter
 * are tried one by one; what cannot be read then is a gap. So is what the server had no answer to.
 *
 * @throws ApiError (other than 403, 404, and what may pass), ConnectionError when the server is not there.
 */
export const readClusterNetwork = async (
  cluster: Cluster,
  namespaces: readonly string[],
  signal?: AbortSignal,
): Promise<ClusterObjects> => {
  const options = signal === undefined ? {} : { signal };
  const custom = await Promise.all(
    [...customGroups].map(async ([group, isWanted]) => {
      const { resources: served, gaps } = await tryDiscover(cluster, group, options);
      return { resources: served.filter((resource) => isWanted(resource)), gaps };
    }),
  );
  const listOptions: ListOptions = { ...options, keep: keepForNetwork() };
  const all = [...builtIn, ...custom.flatMap(({ resources: served }) => served)];
  const read = await Promise.all(all.map((resource) => readAll(cluster, resource, namespaces, listOptions)));
  return { objects: read.flatMap(({ objects }) => objects), gaps: [...custom, ...read].flatMap(({ gaps }) => gaps) };
};

const tryDiscover = async (
  cluster: Cluster,
  group: string,
  options: ReadOptions,
): Promise<{ readonly resources: readonly Resource[]; readonly gaps: readonly Gap[] }> => {
  try {
    return { resources: await cluster.discover(group, options), gaps: [] };
  } catch (error) {
    const words = await unansweredWords(cluster, error, options.signal);
    if (words === undefined) throw error;
    return { resources: [], gaps: [{ group, resource: group, readIn: [], isUnanswered: true, message: notAsked(group, words) }] };
  }
};

const notAsked = (what: string, words: string): string => `${what} could not be asked, what it holds is not known: ${words}`;

const readAll = async (
  cluster: Cluster,
  resource: Resource,
  namespaces: readonly string[],
  options: ListOptions,
): Promise<ClusterObjects> => {
  const whole = await tryList(cluster, resource, undefined, options);
  if (whole.unread === undefined) return { objects: whole.objects, gaps: [] };
  const parts = resource.namespaced
    ? await Promise.all(namespaces.map(async (namespace) => ({ namespace, ...(await tryList(cluster, resource, namespace, options)) })))
    : [];
  const readIn = parts.filter(({ unread }) => unread === undefined).map(({ namespace }) => namespace);
  const gap: Gap = { kind: resource.kind, resource: qualifiedName(resource), readIn, ...whole.unread };
  return { objects: parts.flatMap(({ objects }) => objects), gaps: [gap] };
};

interface Listed {
  readonly objects: readonly KubernetesObject[];
  readonly unread?: Pick<Gap, 'message' | 'isUnanswered'>;
}

const tryList = async (cluster: Cluster, resource: Resource, namespace: string | undefined, options: ListOptions): Promise<Listed> => {
  try {
    const { items } = await cluster.list({ resource, ...(namespace === undefined ? {} : { namespace }) }, options);
    return { objects: items };
  } catch (error) {
    if (isApiError(error, 404)) return { objects: [] };
    if (isApiError(error, 403)) return { objects: [], unread: { message: error.status.message } };
    const words = await unansweredWords(cluster, error, options.signal);
    if (words === undefined) throw error;
    return { objects: [], unread: { message: notAsked(qualifiedName(resource), words), isUnanswered: true } };
  }
};
