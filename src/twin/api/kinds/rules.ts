import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { qualifiedName, type Resource } from '../../../kubernetes/resource.ts';
import { fieldsOf, fillIn, isSameJson, itemsOf } from '../json.ts';
import { explainLabelName } from '../names.ts';
import type { KindRules } from './kind-rules.ts';
import { networkPolicyRules } from './network-policy.ts';
import { podRules } from './pod.ts';
import { serviceRules } from './service.ts';
import { deploymentRules, replicaSetRules, statefulSetRules } from './workload.ts';

/** Kinds that are one document, without a status of their own. */
const document: KindRules = { hasStatus: false, unconditionalUpdate: true, createOnUpdate: false };

const withoutMetadata = (object: KubernetesObject): KubernetesObject => ({ ...object, metadata: { name: '' }, status: undefined });

const anythingChanged = (after: KubernetesObject, before: KubernetesObject): boolean =>
  !isSameJson(withoutMetadata(after), withoutMetadata(before));

/** Custom resources, and built-in kinds that the twin keeps and shows without simulating them. */
const otherRules: KindRules = { hasStatus: true, unconditionalUpdate: false, createOnUpdate: false, movesGeneration: anythingChanged };

const namespaceRules: KindRules = {
  hasStatus: true,
  unconditionalUpdate: true,
  createOnUpdate: false,
  validateName: explainLabelName,
  withDefaults: (object) => {
    const labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name };
    return isSameJson(labels, object.metadata.labels) ? object : { ...object, metadata: { ...object.metadata, labels } };
  },
  // what holds it is changed by whoever empties it, and only when it is going
  complete: (object, { before }) => {
    if (before === undefined) return { ...object, spec: { finalizers: ['kubernetes'] } };
    return before.metadata.deletionTimestamp === undefined && !isSameJson(object.spec, before.spec)
      ? { ...object, spec: before.spec }
      : object;
  },
  initialStatus: () => ({ phase: 'Active' }),
  isHeld: ({ spec }) => itemsOf(fieldsOf(spec).finalizers).length > 0,
  withDeletion: (object) => ({ ...object, status: { ...fieldsOf(object.status), phase: 'Terminating' } }),
};

/** A kubelet registers its Node with a status, so a new one keeps it. Allocatable defaults to capacity. */
const nodeRules: KindRules = {
  hasStatus: true,
  unconditionalUpdate: true,
  createOnUpdate: false,
  initialStatus: (object) => {
    const status = fieldsOf(object.status);
    return status.capacity === undefined ? status : fillIn(status, { allocatable: status.capacity });
  },
};

const withSpecDefaults =
  (defaults: Readonly<Record<string, unknown>>) =>
  (object: KubernetesObject): KubernetesObject => {
    const spec = fillIn(fieldsOf(object.spec), defaults);
    return spec === object.spec ? object : { ...object, spec };
  };

const claimRules: KindRules = {
  hasStatus: true,
  unconditionalUpdate: true,
  createOnUpdate: false,
  withDefaults: withSpecDefaults({ volumeMode: 'Filesystem' }),
  initialStatus: () => ({ phase: 'Pending' }),
};

const volumeDefaults = withSpecDefaults({ volumeMode: 'Filesystem', persistentVolumeReclaimPolicy: 'Retain' });

const volumeRules: KindRules = {
  ...claimRules,
  withDefaults: (object) => {
    const filled = volumeDefaults(object);
    const { storageClassName, ...spec } = fieldsOf(filled.spec);
    return storageClassName === '' ? { ...filled, spec } : filled; // of a volume, unlike of a claim, the same as none
  },
};

const statusOnly: KindRules = { hasStatus: true, unconditionalUpdate: true, createOnUpdate: false };

const rulesByResource: Readonly<Record<string, KindRules>> = {
  pods: podRules,
  services: serviceRules,
  configmaps: document,
  secrets: { ...document, withDefaults: (object) => (object.type === undefined ? { ...object, type: 'Opaque' } : object) },
  serviceaccounts: document,
  events: { ...document, createOnUpdate: true },
  limitranges: { ...document, createOnUpdate: true },
  resourcequotas: statusOnly,
  namespaces: namespaceRules,
  nodes: nodeRules,
  persistentvolumeclaims: claimRules,
  persistentvolumes: volumeRules,
  'deployments.apps': deploymentRules,
  'replicasets.apps': replicaSetRules,
  'statefulsets.apps': statefulSetRules,
  'endpointslices.discovery.k8s.io': { ...document, movesGeneration: anythingChanged },
  'networkpolicies.networking.k8s.io': networkPolicyRules,
  'leases.coordination.k8s.io': { ...document, unconditionalUpdate: false, createOnUpdate: true },
  'runtimeclasses.node.k8s.io': { ...document, unconditionalUpdate: false, createOnUpdate: true },
  'priorityclasses.scheduling.k8s.io': { ...document, movesGeneration: anythingChanged },
  'horizontalpodautoscalers.autoscaling': statusOnly,
};

export const rulesOf = (resource: Resource): KindRules => rulesByResource[qualifiedName(resource)] ?? otherRules;
