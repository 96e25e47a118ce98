import { resources, qualifiedName, type Resource } from '../../kubernetes/resource.ts';
import { fieldsOf, itemsOf, textOf } from '../../twin/api/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';

/** How a resource may be called, and what can be done with it. Source: Kubernetes API reference, APIResource v1 meta. */
export interface ResourceDetails {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
}

export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Of what it takes or gives. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const everyVerb = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const readAndWrite = ['get', 'patch', 'update'];

/** By qualified name: short names, categories, and which of the two subresources most kinds have are there. */
const shortNames: Readonly<Record<string, readonly string[]>> = {
  configmaps: ['cm'],
  endpoints: ['ep'],
  events: ['ev'],
  limitranges: ['limits'],
  namespaces: ['ns'],
  nodes: ['no'],
  persistentvolumeclaims: ['pvc'],
  persistentvolumes: ['pv'],
  pods: ['po'],
  replicationcontrollers: ['rc'],
  resourcequotas: ['quota'],
  serviceaccounts: ['sa'],
  services: ['svc'],
  'daemonsets.apps': ['ds'],
  'deployments.apps': ['deploy'],
  'replicasets.apps': ['rs'],
  'statefulsets.apps': ['sts'],
  'horizontalpodautoscalers.autoscaling': ['hpa'],
  'cronjobs.batch': ['cj'],
  'ingresses.networking.k8s.io': ['ing'],
  'networkpolicies.networking.k8s.io': ['netpol'],
  'poddisruptionbudgets.policy': ['pdb'],
  'storageclasses.storage.k8s.io': ['sc'],
  'customresourcedefinitions.apiextensions.k8s.io': ['crd', 'crds'],
  'priorityclasses.scheduling.k8s.io': ['pc'],
};

const inAll: ReadonlySet<string> = new Set([
  'pods',
  'replicationcontrollers',
  'services',
  'daemonsets.apps',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'horizontalpodautoscalers.autoscaling',
  'cronjobs.batch',
  'jobs.batch',
]);

const scalable: ReadonlySet<string> = new Set(['replicationcontrollers', 'deployments.apps', 'replicasets.apps', 'statefulsets.apps']);

const withoutStatus: ReadonlySet<string> = new Set([
  'configmaps',
  'endpoints',
  'events',
  'limitranges',
  'secrets',
  'serviceaccounts',
  'endpointslices.discovery.k8s.io',
  'leases.coordination.k8s.io',
  'networkpolicies.networking.k8s.io',
  'priorityclasses.scheduling.k8s.io',
  'runtimeclasses.node.k8s.io',
  'storageclasses.storage.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
]);

/** Questions about oneself: they can be created, and that is all. */
export const reviewResources = [
  resources.selfSubjectAccessReviews,
  { group: 'authorization.k8s.io', version: 'v1', plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview', namespaced: false },
  { group: 'authentication.k8s.io', version: 'v1', plural: 'selfsubjectreviews', kind: 'SelfSubjectReview', namespaced: false },
] as const satisfies readonly Resource[];

const own = (resource: Resource, name: string, verbs: readonly string[]): Subresource => ({
  name,
  verbs,
  group: resource.group,
  version: resource.version,
  kind: resource.kind,
});

const core = (name: string, kind: string, verbs: readonly string[]): Subresource => ({ name, verbs, group: '', version: 'v1', kind });

/** Those that need containers are named, as on a server, so that a client asks and is told why not. */
const ofPods: readonly Subresource[] = [
  core('attach', 'PodAttachOptions', ['create', 'get']),
  { name: 'eviction', verbs: ['create'], group: 'policy', version: 'v1', kind: 'Eviction' },
  core('exec', 'PodExecOptions', ['create', 'get']),
  core('log', 'Pod', ['get']),
  core('portforward', 'PodPortForwardOptions', ['create', 'get']),
  core('proxy', 'PodProxyOptions', ['create', 'delete', 'get', 'patch', 'update']),
];

const ofServices: readonly Subresource[] = [core('proxy', 'ServiceProxyOptions', ['create', 'delete', 'get', 'patch', 'update'])];

/** `definition`: the CustomResourceDefinition that the resource comes from. */
export const detailsOf = (resource: Resource, definition?: KubernetesObject): ResourceDetails => {
  const name = qualifiedName(resource);
  if (reviewResources.some((review) => qualifiedName(review) === name)) {
    return { singular: resource.kind.toLowerCase(), shortNames: [], categories: [], verbs: ['create'], subresources: [] };
  }
  if (definition !== undefined) return detailsOfCustom(resource, definition);
  return {
    singular: resource.kind.toLowerCase(),
    shortNames: shortNames[name] ?? [],
    categories: inAll.has(name) ? ['all'] : name === 'customresourcedefinitions.apiextensions.k8s.io' ? ['api-extensions'] : [],
    verbs: name === 'namespaces' ? everyVerb.filter((verb) => verb !== 'deletecollection') : everyVerb,
    subresources: [
      ...(name === 'pods' ? ofPods : name === 'services' ? ofServices : []),
      ...(scalable.has(name) ? [scaleOf()] : []),
      ...(withoutStatus.has(name) ? [] : [own(resource, 'status', readAndWrite)]),
    ],
  };
};

const scaleOf = (): Subresource => ({ name: 'scale', verbs: readAndWrite, group: 'autoscaling', version: 'v1', kind: 'Scale' });

const detailsOfCustom = (resource: Resource, definition: KubernetesObject): ResourceDetails => {
  const spec = fieldsOf(definition.spec);
  const names = fieldsOf(spec.names);
  const version = itemsOf(spec.versions)
    .map(fieldsOf)
    .find(({ name }) => name === resource.version);
  const offered = fieldsOf(version?.subresources);
  const texts = (value: unknown): readonly string[] => itemsOf(value).flatMap((item) => textOf(item) ?? []);
  return {
    singular: textOf(names.singular) ?? resource.kind.toLowerCase(),
    shortNames: texts(names.shortNames),
    categories: texts(names.categories),
    verbs: everyVerb,
    subresources: [
      ...(offered.scale === undefined ? [] : [scaleOf()]),
      ...(offered.status === undefined ? [] : [own(resource, 'status', readAndWrite)]),
    ],
  };
};
