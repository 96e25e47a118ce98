import { matchesSelector, type LabelSelector } from '../../kubernetes/label-selector.ts';
import { controllerOf, type KubernetesObject, type OwnerReference } from '../../kubernetes/object.ts';
import { isTerminating } from '../../kubernetes/pod.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { ObjectIndex } from './object-index.ts';
import type { Store } from '../api/store.ts';

/** Who claims dependents, and by which labels. */
export interface Claimant {
  readonly owner: KubernetesObject;
  readonly selector: LabelSelector;
}

export const ownerKey = (uid: string): string => `owner/${uid}`;
export const orphanKey = (namespace: string): string => `orphan/${namespace}`;

/** The index keys by which dependents are found again: under their controller, or as orphans of their namespace. */
export const claimKeys = (object: KubernetesObject): readonly string[] => {
  const owner = controllerOf(object);
  return [owner === undefined ? orphanKey(object.metadata.namespace ?? '') : ownerKey(owner.uid)];
};

/**
 * The dependents of a controller: owned ones that still match its selector are kept, those that no longer do are released,
 * matching orphans are adopted.
 *
 * Source: kubernetes `pkg/controller/controller_ref_manager.go`.
 */
export const claim = <T extends KubernetesObject>(
  store: Store,
  resource: Resource,
  { owner, selector }: Claimant,
  index: ObjectIndex<T>,
  isClaimable: (candidate: T) => boolean = () => true,
): readonly T[] => {
  const claimed: T[] = [];
  for (const candidate of index.under(ownerKey(owner.metadata.uid ?? ''))) {
    if (!isClaimable(candidate)) continue;
    if (matchesSelector(selector, candidate.metadata.labels)) claimed.push(candidate);
    else if (!isTerminating(owner)) release(store, resource, candidate, owner);
  }
  if (isTerminating(owner)) return claimed;
  for (const candidate of index.under(orphanKey(owner.metadata.namespace ?? ''))) {
    if (!isClaimable(candidate) || isTerminating(candidate) || !matchesSelector(selector, candidate.metadata.labels)) continue;
    claimed.push(adopt(store, resource, candidate, owner));
  }
  return claimed;
};

export const controllerReference = ({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

const adopt = <T extends KubernetesObject>(store: Store, resource: Resource, orphan: T, owner: KubernetesObject): T => {
  const ownerReferences = [...(orphan.metadata.ownerReferences ?? []), controllerReference(owner)];
  return store.update(resource, { ...orphan, metadata: { ...orphan.metadata, ownerReferences } }) as T;
};

const release = (store: Store, resource: Resource, dependent: KubernetesObject, owner: KubernetesObject): void => {
  const others = (dependent.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
  const { ownerReferences: _released, ...metadata } = dependent.metadata;
  store.update(resource, { ...dependent, metadata: others.length === 0 ? metadata : { ...metadata, ownerReferences: others } });
};
