import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { isBuiltIn } from '../../../kubernetes/built-in-groups.ts';
import { apiVersionOf, qualifiedName, type Resource } from '../../../kubernetes/resource.ts';
import type { JsonObject } from '../json.ts';

const podSpec = { containers: null };
const template = { metadata: {}, spec: podSpec };

/**
 * What an object of the kind has before anybody has said anything: structures that are never left out. Nobody owns that they are there.
 *
 * Source: the types of k8s.io/api 0.34, fields without `omitempty`, and structures that are no pointers.
 */
const emptyFields: Readonly<Record<string, JsonObject>> = {
  pods: { spec: podSpec, status: {} },
  podtemplates: { template },
  replicationcontrollers: { spec: {}, status: { replicas: 0 } },
  services: { spec: {}, status: { loadBalancer: {} } },
  'deployments.apps': { spec: { selector: null, template, strategy: {} }, status: {} },
  'replicasets.apps': { spec: { selector: null, template }, status: { replicas: 0 } },
  'statefulsets.apps': {
    spec: { selector: null, template, serviceName: '', updateStrategy: {} },
    status: { replicas: 0, availableReplicas: 0 },
  },
  'daemonsets.apps': { spec: { selector: null, template, updateStrategy: {} }, status: {} },
  'jobs.batch': { spec: { template }, status: {} },
  'cronjobs.batch': { spec: { schedule: '', jobTemplate: { metadata: {}, spec: { template } } }, status: {} },
  persistentvolumeclaims: { spec: { resources: {} }, status: {} },
  events: {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  },
  'horizontalpodautoscalers.autoscaling': {
    spec: { scaleTargetRef: { kind: '', name: '' }, maxReplicas: 0 },
    status: { desiredReplicas: 0, currentMetrics: null },
  },
  'endpointslices.discovery.k8s.io': { addressType: '', endpoints: null, ports: null },
  'networkpolicies.networking.k8s.io': { spec: { podSelector: {} } },
  'ingresses.networking.k8s.io': { spec: {}, status: { loadBalancer: {} } },
  'runtimeclasses.node.k8s.io': { handler: '' },
  'priorityclasses.scheduling.k8s.io': { value: 0 },
  'storageclasses.storage.k8s.io': { provisioner: '' },
  'leases.coordination.k8s.io': { spec: {} },
  nodes: { spec: {}, status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: {} } },
  'roles.rbac.authorization.k8s.io': { rules: null },
  'clusterroles.rbac.authorization.k8s.io': { rules: null },
  'rolebindings.rbac.authorization.k8s.io': { roleRef: {} },
  'clusterrolebindings.rbac.authorization.k8s.io': { roleRef: {} },
};

const withSpecAndStatus: JsonObject = { spec: {}, status: {} };

/** An object of the kind that says nothing: what a new one is compared with. */
export const emptyObject = (resource: Resource): KubernetesObject => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  metadata: emptyMetadata,
  ...(emptyFields[qualifiedName(resource)] ?? (isBuiltIn(resource) ? withSpecAndStatus : {})),
});

const emptyMetadata = {} as KubernetesObject['metadata'];
