import type { KubernetesObject, OwnerReference } from '../../kubernetes/object.ts';
import type { ObjectReference } from '../../kubernetes/reference.ts';
import { resources } from '../../kubernetes/resource.ts';
import type { MemoryStore, StoreState } from './memory-store.ts';

/**
 * Deletes what belongs to objects that are gone, and does to the dependents of objects that are going what their deletion asked for. Empties
 * namespaces that are going, and lets them go then.
 * Begins with a sweep, so that what an earlier process left undone is done.
 *
 * Source: Kubernetes concepts, "Garbage Collection"; kubernetes `pkg/controller/garbagecollector`, `pkg/controller/namespace`.
 */
export const startGarbageCollector = (store: MemoryStore): { readonly stop: () => void } => {
  let cancelSweep: (() => void) | undefined;
  const sweepSoon = (): void => {
    cancelSweep ??= store.clock.schedule(0, () => {
      cancelSweep = undefined;
      sweep(store);
    });
  };
  const stopListening = store.onCommit(({ change: { type, object } }) => {
    if (
      type === 'DELETED' ||
      isWaitingForCollector(object) ||
      isGoingNamespace(object) ||
      (type === 'ADDED' && object.metadata.ownerReferences !== undefined)
    )
      sweepSoon();
  });
  sweepSoon();
  return {
    stop: () => {
      stopListening();
      cancelSweep?.();
    },
  };
};

/** The collector runs in this program. */
const written = { fieldManager: 'kube-controller-manager' };

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

const isGoingNamespace = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Namespace' && metadata.deletionTimestamp !== undefined;

const isWaitingForCollector = ({ metadata }: KubernetesObject): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).some((finalizer) => finalizer === orphan || finalizer === foreground);

type Entry = StoreState['objects'][number];

/** Everything in it is asked to go, pods with their grace; when nothing is left, the namespace goes, too. */
const empty = (store: MemoryStore, namespace: KubernetesObject): void => {
  const { name } = namespace.metadata;
  const isInside = ({ object }: Entry): boolean => object.metadata.namespace === name;
  for (const { resource, object } of store.everything().filter(isInside)) {
    const reference = { resource, namespace: name, name: object.metadata.name };
    if (object.metadata.deletionTimestamp === undefined && store.get(reference) !== undefined)
      store.delete(reference, { propagationPolicy: 'Background' });
  }
  if (store.everything().some(isInside)) return;
  store.update(resources.namespaces, { ...namespace, spec: {} }, written);
};

const sweep = (store: MemoryStore): void => {
  for (const namespace of store.list({ resource: resources.namespaces })) if (isGoingNamespace(namespace)) empty(store, namespace);
  const entries = store.everything();
  const byUid = new Map(entries.map((entry) => [entry.object.metadata.uid, entry.object]));
  const dependents = entries.filter(({ object }) => (object.metadata.ownerReferences ?? []).length > 0);
  for (const { resource, object } of entries) {
    if (!isWaitingForCollector(object)) continue;
    const owned = dependents.filter((entry) => ownedBy(entry.object, object) !== undefined);
    if (object.metadata.finalizers?.includes(orphan) === true) {
      for (const entry of owned) writeOwners(store, entry, (owner) => owner.uid !== object.metadata.uid);
      releaseFinalizer(store, { resource, object }, orphan);
    } else if (!owned.some((entry) => ownedBy(entry.object, object)?.blockOwnerDeletion === true)) {
      releaseFinalizer(store, { resource, object }, foreground);
    }
  }
  for (const entry of dependents) collect(store, entry, byUid);
};

const ownedBy = (object: KubernetesObject, owner: KubernetesObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(({ uid }) => uid === owner.metadata.uid);

/** A dependent goes when no owner is left that will stay; an owner that stays keeps it, and the others are forgotten. */
const collect = (store: MemoryStore, entry: Entry, byUid: ReadonlyMap<string | undefined, KubernetesObject>): void => {
  const current = store.get(referenceOf(entry));
  if (current === undefined || current.metadata.uid !== entry.object.metadata.uid) return;
  const owners = current.metadata.ownerReferences ?? [];
  const isLeaving = ({ uid }: OwnerReference): boolean => {
    const owner = byUid.get(uid);
    return (
      owner === undefined || (owner.metadata.deletionTimestamp !== undefined && owner.metadata.finalizers?.includes(foreground) === true)
    );
  };
  const leaving = owners.filter(isLeaving);
  if (leaving.length === 0) return;
  if (leaving.length < owners.length) {
    writeOwners(store, entry, (owner) => !isLeaving(owner));
  } else if (current.metadata.deletionTimestamp === undefined) {
    const isForeground = leaving.some(({ uid }) => byUid.has(uid));
    store.delete(referenceOf(entry), { propagationPolicy: isForeground ? 'Foreground' : 'Background' });
  }
};

const writeOwners = (store: MemoryStore, entry: Entry, keep: (owner: OwnerReference) => boolean): void => {
  const current = store.get(referenceOf(entry));
  if (current === undefined) return;
  const { ownerReferences = [], ...metadata } = current.metadata;
  const kept = ownerReferences.filter(keep);
  store.update(entry.resource, { ...current, metadata: kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept } }, written);
};

const releaseFinalizer = (store: MemoryStore, entry: Entry, released: string): void => {
  const current = store.get(referenceOf(entry));
  if (current === undefined) return;
  const { finalizers = [], ...metadata } = current.metadata;
  const kept = finalizers.filter((finalizer) => finalizer !== released);
  store.update(entry.resource, { ...current, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } }, written);
};

const referenceOf = ({ resource, object: { metadata } }: Entry): ObjectReference => ({
  resource,
  name: metadata.name,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
});
