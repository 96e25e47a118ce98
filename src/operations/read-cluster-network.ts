import { isApiError } from '../cluster/api-error.ts';
import type { Cluster, ListOptions } from '../cluster/cluster.ts';
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
 * are tried one by one; what cannot be read then is a gap.
 *
 * @throws ApiError (other than 403 and 404), ConnectionError.
 */
export const readClusterNetwork = async (
  cluster: Cluster,
  namespaces: readonly string[],
  signal?: AbortSignal,
): Promise<ClusterObjects> => {
  const options = signal === undefined ? {} : { signal };
  const custom = await Promise.all(
    [...customGroups].map(async ([group, isWanted]) => (await cluster.discover(group, options)).filter((resource) => isWanted(resource))),
  );
  const listOptions: ListOptions = { ...options, keep: keepForNetwork() };
  const read = await Promise.all([...builtIn, ...custom.flat()].map((resource) => readAll(cluster, resource, namespaces, listOptions)));
  return { objects: read.flatMap(({ objects }) => objects), gaps: read.flatMap(({ gaps }) => gaps) };
};

const readAll = async (
  cluster: Cluster,
  resource: Resource,
  namespaces: readonly string[],
  options: ListOptions,
): Promise<ClusterObjects> => {
  const whole = await tryList(cluster, resource, undefined, options);
  if (whole.forbidden === undefined) return { objects: whole.objects, gaps: [] };
  const parts = resource.namespaced
    ? await Promise.all(namespaces.map(async (namespace) => ({ namespace, ...(await tryList(cluster, resource, namespace, options)) })))
    : [];
  const readIn = parts.filter(({ forbidden }) => forbidden === undefined).map(({ namespace }) => namespace);
  const gap: Gap = { kind: resource.kind, resource: qualifiedName(resource), readIn, message: whole.forbidden };
  return { objects: parts.flatMap(({ objects }) => objects), gaps: [gap] };
};

interface Listed {
  readonly objects: readonly KubernetesObject[];
  readonly forbidden?: string;
}

const tryList = async (cluster: Cluster, resource: Resource, namespace: string | undefined, options: ListOptions): Promise<Listed> => {
  try {
    const { items } = await cluster.list({ resource, ...(namespace === undefined ? {} : { namespace }) }, options);
    return { objects: items };
  } catch (error) {
    if (isApiError(error, 404)) return { objects: [] };
    if (isApiError(error, 403)) return { objects: [], forbidden: error.status.message };
    throw error;
  }
};
