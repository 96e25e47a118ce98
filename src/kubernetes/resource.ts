/**
 * A resource as the API serves it: where its objects live and what kind they are.
 *
 * Source: Kubernetes API concepts, "Standard API terminology"; APIResource v1 meta.
 */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Lower-case plural, as in the URL: `deployments`. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const define = (group: string, version: string, plural: string, kind: string, namespaced = true): Resource => ({
  group,
  version,
  plural,
  kind,
  namespaced,
});

/** The resources that poimen itself reads or writes. Others are found through discovery. */
export const resources = {
  pods: define('', 'v1', 'pods', 'Pod'),
  services: define('', 'v1', 'services', 'Service'),
  configMaps: define('', 'v1', 'configmaps', 'ConfigMap'),
  secrets: define('', 'v1', 'secrets', 'Secret'),
  events: define('', 'v1', 'events', 'Event'),
  namespaces: define('', 'v1', 'namespaces', 'Namespace', false),
  nodes: define('', 'v1', 'nodes', 'Node', false),
  persistentVolumeClaims: define('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  persistentVolumes: define('', 'v1', 'persistentvolumes', 'PersistentVolume', false),
  serviceAccounts: define('', 'v1', 'serviceaccounts', 'ServiceAccount'),
  resourceQuotas: define('', 'v1', 'resourcequotas', 'ResourceQuota'),
  limitRanges: define('', 'v1', 'limitranges', 'LimitRange'),
  replicationControllers: define('', 'v1', 'replicationcontrollers', 'ReplicationController'),
  deployments: define('apps', 'v1', 'deployments', 'Deployment'),
  replicaSets: define('apps', 'v1', 'replicasets', 'ReplicaSet'),
  statefulSets: define('apps', 'v1', 'statefulsets', 'StatefulSet'),
  daemonSets: define('apps', 'v1', 'daemonsets', 'DaemonSet'),
  jobs: define('batch', 'v1', 'jobs', 'Job'),
  cronJobs: define('batch', 'v1', 'cronjobs', 'CronJob'),
  endpointSlices: define('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice'),
  networkPolicies: define('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy'),
  leases: define('coordination.k8s.io', 'v1', 'leases', 'Lease'),
  runtimeClasses: define('node.k8s.io', 'v1', 'runtimeclasses', 'RuntimeClass', false),
  horizontalPodAutoscalers: define('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'),
  podDisruptionBudgets: define('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget'),
  priorityClasses: define('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', false),
  scaledObjects: define('keda.sh', 'v1alpha1', 'scaledobjects', 'ScaledObject'),
  inferenceServices: define('serving.kserve.io', 'v1beta1', 'inferenceservices', 'InferenceService'),
  customResourceDefinitions: define('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition', false),
  selfSubjectAccessReviews: define('authorization.k8s.io', 'v1', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', false),
} as const satisfies Record<string, Resource>;

/** `apps/v1`, or `v1` for the core group. */
export const apiVersionOf = (resource: Pick<Resource, 'group' | 'version'>): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;

/** `deployments.apps`, or `pods` for the core group: unique in a cluster, and what kubectl accepts. */
export const qualifiedName = (resource: Pick<Resource, 'group' | 'plural'>): string =>
  resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
