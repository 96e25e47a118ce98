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

const resource = (group: string, version: string, plural: string, kind: string, namespaced = true): Resource => ({
  group,
  version,
  plural,
  kind,
  namespaced,
});

/** The resources that poimen itself reads or writes. Others are found through discovery. */
export const resources = {
  pods: resource('', 'v1', 'pods', 'Pod'),
  services: resource('', 'v1', 'services', 'Service'),
  configMaps: resource('', 'v1', 'configmaps', 'ConfigMap'),
  secrets: resource('', 'v1', 'secrets', 'Secret'),
  events: resource('', 'v1', 'events', 'Event'),
  namespaces: resource('', 'v1', 'namespaces', 'Namespace', false),
  nodes: resource('', 'v1', 'nodes', 'Node', false),
  persistentVolumeClaims: resource('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  persistentVolumes: resource('', 'v1', 'persistentvolumes', 'PersistentVolume', false),
  serviceAccounts: resource('', 'v1', 'serviceaccounts', 'ServiceAccount'),
  resourceQuotas: resource('', 'v1', 'resourcequotas', 'ResourceQuota'),
  limitRanges: resource('', 'v1', 'limitranges', 'LimitRange'),
  replicationControllers: resource('', 'v1', 'replicationcontrollers', 'ReplicationController'),
  deployments: resource('apps', 'v1', 'deployments', 'Deployment'),
  replicaSets: resource('apps', 'v1', 'replicasets', 'ReplicaSet'),
  statefulSets: resource('apps', 'v1', 'statefulsets', 'StatefulSet'),
  daemonSets: resource('apps', 'v1', 'daemonsets', 'DaemonSet'),
  jobs: resource('batch', 'v1', 'jobs', 'Job'),
  cronJobs: resource('batch', 'v1', 'cronjobs', 'CronJob'),
  endpointSlices: resource('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice'),
  networkPolicies: resource('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy'),
  leases: resource('coordination.k8s.io', 'v1', 'leases', 'Lease'),
  runtimeClasses: resource('node.k8s.io', 'v1', 'runtimeclasses', 'RuntimeClass', false),
  horizontalPodAutoscalers: resource('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'),
  podDisruptionBudgets: resource('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget'),
  priorityClasses: resource('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', false),
  scaledObjects: resource('keda.sh', 'v1alpha1', 'scaledobjects', 'ScaledObject'),
  inferenceServices: resource('serving.kserve.io', 'v1beta1', 'inferenceservices', 'InferenceService'),
  customResourceDefinitions: resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition', false),
  selfSubjectAccessReviews: resource('authorization.k8s.io', 'v1', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', false),
} as const satisfies Record<string, Resource>;

/** `apps/v1`, or `v1` for the core group. */
export const apiVersionOf = (resource: Pick<Resource, 'group' | 'version'>): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;

/** `deployments.apps`, or `pods` for the core group: unique in a cluster, and what kubectl accepts. */
export const qualifiedName = (resource: Pick<Resource, 'group' | 'plural'>): string =>
  resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
