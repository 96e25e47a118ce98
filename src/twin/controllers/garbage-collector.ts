import type { KubernetesObject, OwnerReference } from '../../kubernetes/object.ts';
import { isTerminating } from '../../kubernetes/pod.ts';
import type { ObjectReference } from '../../kubernetes/reference.ts';
import { resources, type Resource } from '../../kubernetes/resource.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';
import { ObjectIndex } from './object-index.ts';

const latencyMs = 5;

/** What the twin's controllers make for others. */
const dependentResources = [resources.replicaSets, resources.pods, resources.endpointSlices];

/** The kinds of owners that the collector knows. Of any other kind it believes that the owner is there. */
const ownerResources: readonly Resource[] = [
  resources.deployments,
  resources.replicaSets,
  resources.statefulSets,
  resources.daemonSets,
  resources.jobs,
  resources.services,
  resources.pods,
];

interface Dependent extends KubernetesObject {
  readonly metadata: KubernetesObject['metadata'] & { readonly uid: string };
}

/**
 * Removes what has lost its owners, and lets an owner go that waits for its dependents (foreground) or wants them to stay (orphan).
 *
 * Source: Kubernetes concepts, "Garbage Collection", "Cascading deletion".
 */
export const startGarbageCollector = (host: ControllerHost): void => {
  const { store } = host;
  const referenceTo = (object: KubernetesObject): ObjectReference => {
    const resource = [...dependentResources, ...ownerResources].find(({ kind }) => kind === object.kind);
    if (resource === undefined) throw new Error(`${object.kind} is not collected`);
    return referenceOf(resource, keyOf(object));
  };
  const ownersByUid = new ObjectIndex<KubernetesObject>(({ metadata }) => [metadata.uid ?? '']);
  const dependents = new ObjectIndex<Dependent>(({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid));

  const queue = host.queue(latencyMs, (uid) => {
    const [owner] = ownersByUid.under(uid);
    const finalizers = owner?.metadata.finalizers ?? [];
    if (owner === undefined) {
      for (const dependent of dependents.under(uid)) if (!hasLivingOwner(dependent)) remove(dependent, 'Background');
    } else if (isTerminating(owner) && finalizers.includes('orphan')) {
      for (const dependent of dependents.under(uid)) disown(dependent, uid);
      release(owner, 'orphan');
    } else if (isTerminating(owner) && finalizers.includes('foregroundDeletion')) {
      const blocking = dependents.under(uid).filter(({ metadata }) => metadata.ownerReferences?.some((other) => other.uid === uid && other.blockOwnerDeletion === true));
      for (const dependent of dependents.under(uid)) if (!isTerminating(dependent)) remove(dependent, 'Foreground');
      if (blocking.length === 0) release(owner, 'foregroundDeletion');
    }
  });

  const hasLivingOwner = ({ metadata }: Dependent): boolean => (metadata.ownerReferences ?? []).some(isAlive);
  const isAlive = ({ kind, uid }: OwnerReference): boolean => !ownerResources.some((resource) => resource.kind === kind) || ownersByUid.has(uid);
  const remove = (object: Dependent, propagationPolicy: 'Background' | 'Foreground'): void => {
    if (!isTerminating(object)) store.delete(referenceTo(object), { uid: object.metadata.uid, propagationPolicy });
  };
  const disown = (object: Dependent, uid: string): void => {
    const ownerReferences = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);
    store.update(referenceTo(object).resource, { ...object, metadata: { ...object.metadata, ownerReferences } });
  };
  const release = (owner: KubernetesObject, finalizer: string): void => {
    const finalizers = (owner.metadata.finalizers ?? []).filter((other) => other !== finalizer);
    store.update(referenceTo(owner).resource, { ...owner, metadata: { ...owner.metadata, finalizers } });
  };

  for (const resource of ownerResources) {
    host.watch<KubernetesObject>(resource, ({ type, object, before }) => {
      ownersByUid.replace(before, type === 'DELETED' ? undefined : object);
      if (type === 'DELETED' || isTerminating(object)) queue.add(object.metadata.uid ?? '');
    });
  }
  for (const resource of dependentResources) {
    host.watch<Dependent>(resource, ({ type, object, before }) => {
      dependents.replace(before, type === 'DELETED' ? undefined : object);
      if (type === 'MODIFIED') return;
      // a new dependent may come too late for its owner, and the last one of an owner that waits lets it go
      for (const { uid } of object.metadata.ownerReferences ?? []) queue.add(uid);
    });
  }
};
