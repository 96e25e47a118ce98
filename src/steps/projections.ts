import type { KubernetesObject, ObjectMeta } from '../kubernetes/object.ts';
import type { Container, Pod, PodSpec, PodTemplate } from '../kubernetes/pod.ts';

/*
 * What is kept of objects that are read from the whole cluster: as much as the checks decide on, so that memory does not grow with what
 * others write into theirs.
 */

/** Without what only the API server and kubectl need. */
export const keepLean = (object: KubernetesObject): KubernetesObject => {
  const { managedFields: _, annotations, ...metadata } = object.metadata;
  const { 'kubectl.kubernetes.io/last-applied-configuration': __, ...rest } = annotations ?? {};
  return { ...object, metadata: { ...metadata, ...(Object.keys(rest).length === 0 ? {} : { annotations: rest }) } };
};

/** Most of a node's object is the list of its images. */
export const keepNode = (object: KubernetesObject & { readonly status?: object }): KubernetesObject => {
  const lean = keepLean(object);
  return { ...lean, status: { ...object.status, images: undefined } };
};

/** Of a pod: who made it, where it is, and what it books or asks for. */
export const keepBooking = (object: KubernetesObject): KubernetesObject => {
  const { apiVersion, kind, metadata, spec, status } = object as Pod;
  return {
    apiVersion,
    kind,
    metadata: keepIdentity(metadata),
    spec: keepRequests(spec),
    status: { phase: status?.phase, conditions: status?.conditions?.filter(({ type }) => type === 'PodScheduled') },
  };
};

/** Of a workload: what it is called, and what its pods would ask for. */
export const keepDemand = (object: KubernetesObject): KubernetesObject => {
  const { apiVersion, kind, metadata, spec } = object as KubernetesObject & {
    readonly spec: { readonly replicas?: number; readonly template: PodTemplate };
  };
  return {
    apiVersion,
    kind,
    metadata: keepIdentity(metadata),
    spec: { replicas: spec.replicas, template: { spec: keepRequests(spec.template.spec) } },
  };
};

/** Of an object that is only to be named. */
export const keepName = ({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: keepIdentity(metadata),
});

const keepIdentity = (metadata: ObjectMeta): ObjectMeta => {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, ownerReferences } = metadata;
  return defined({ name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, ownerReferences });
};

const keepRequests = (spec: PodSpec): PodSpec => {
  const { nodeName, nodeSelector, affinity, tolerations, schedulingGates, overhead, resources, containers, initContainers } = spec;
  return defined({
    nodeName,
    nodeSelector,
    affinity,
    tolerations,
    schedulingGates,
    overhead,
    resources,
    containers: containers.map(keepContainer),
    initContainers: initContainers?.map(keepContainer),
  });
};

const keepContainer = ({ name, resources, restartPolicy }: Container): Container => defined({ name, resources, restartPolicy });

type Defined<T> = { readonly [Key in keyof T]: Exclude<T[Key], undefined> };

/** Without the fields that are absent. */
const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
