import type { KubernetesObject, ObjectMeta } from '../kubernetes/object.ts';
import type { Container, Pod, PodSpec } from '../kubernetes/pod.ts';
import { policyInputOf } from '../network/policy/policy-input.ts';

/**
 * What netcheck keeps of an object of a cluster, whose pods are most of what a list brings: of a pod what policies, Services and owners
 * go by, of other objects all but the server's records of who changed what. What many pods have in common is kept once.
 */
export const keepForNetwork = (): ((object: KubernetesObject) => KubernetesObject) => {
  const share = createShare();
  return (object) => {
    if (isPod(object)) return keepPod(object, share);
    if (policyInputOf(object) !== undefined) return object; // --fix writes it anew, whole
    const { managedFields: _managedFields, annotations: _annotations, ...metadata } = object.metadata;
    return { ...object, metadata };
  };
};

const isPod = (object: KubernetesObject): object is Pod =>
  object.kind === 'Pod' && object.apiVersion === 'v1' && typeof object['spec'] === 'object' && object['spec'] !== null;

type Share = <Value>(value: Value) => Value;

/** Of equal values the first one. Labels, owners, ports, nodes: about as many as there are workloads and nodes. */
const createShare = (): Share => {
  const known = new Map<string, unknown>();
  return <Value>(value: Value): Value => {
    if (value === undefined) return value;
    const key = JSON.stringify(value);
    const first = known.get(key);
    if (first === undefined) known.set(key, value);
    return first === undefined ? value : (first as Value);
  };
};

const keepPod = ({ apiVersion, kind, metadata, spec, status }: Pod, share: Share): Pod => ({
  apiVersion,
  kind,
  metadata: keepMetadata(metadata, share),
  spec: keepSpec(spec, share),
  ...(status === undefined
    ? {}
    : {
        status: {
          ...given('phase', share(status.phase)),
          ...given('podIP', status.podIP),
          ...given('podIPs', status.podIPs?.some(({ ip }) => ip !== status.podIP) === true ? status.podIPs : undefined),
          ...given('hostIP', share(status.hostIP)),
          ...given('hostIPs', share(status.hostIPs)),
          ...given('conditions', share(readiness(status.conditions, spec))),
        },
      }),
});

const keepMetadata = ({ name, namespace, uid, labels, ownerReferences, deletionTimestamp }: ObjectMeta, share: Share): ObjectMeta => ({
  name,
  ...given('namespace', share(namespace)),
  ...given('uid', uid),
  ...given('labels', share(labels)),
  ...given('ownerReferences', share(ownerReferences)),
  ...given('deletionTimestamp', deletionTimestamp),
});

const keepSpec = ({ nodeName, hostNetwork, containers, initContainers, readinessGates }: PodSpec, share: Share): PodSpec => ({
  ...given('nodeName', share(nodeName)),
  ...given('hostNetwork', hostNetwork),
  containers: share(containers.map(keepContainer)),
  ...given('initContainers', share(initContainers?.map(keepContainer))),
  ...given('readinessGates', share(readinessGates)),
});

const keepContainer = ({ name, ports, restartPolicy }: Container): Container => ({
  name,
  ...given('ports', ports),
  ...given('restartPolicy', restartPolicy),
});

type Conditions = NonNullable<Pod['status']>['conditions'];

const readiness = (conditions: Conditions, { readinessGates = [] }: PodSpec): Conditions => {
  const asked = new Set(['Ready', ...readinessGates.map(({ conditionType }) => conditionType)]);
  return conditions?.filter(({ type }) => asked.has(type)).map(({ type, status }) => ({ type, status }));
};

/** A field, where the object has it. */
const given = <Field extends string, Value>(field: Field, value: Value | undefined): { readonly [key in Field]?: Value } =>
  value === undefined ? {} : ({ [field]: value } as { readonly [key in Field]: Value });
