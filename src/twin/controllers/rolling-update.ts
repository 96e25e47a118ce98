import { wantedReplicas, type Deployment } from '../../kubernetes/deployment.ts';
import type { ReplicaSet } from '../../kubernetes/replica-set.ts';
import { maxReplicasOf } from './replica-set-annotations.ts';

/**
 * The numbers of a rolling update. All of them count `spec.replicas`, not pods that run, unless they say otherwise.
 *
 * Source: kubernetes `pkg/controller/deployment/util/deployment_util.go`.
 */

export const isRollingUpdate = (deployment: Deployment): boolean => deployment.spec.strategy?.type !== 'Recreate';

/** Pods above the wanted number that may be there during an update; percentages round up. */
export const maxSurge = (deployment: Deployment): number => (isRollingUpdate(deployment) ? fenceposts(deployment).surge : 0);

/** Pods below the wanted number that may be missing during an update; percentages round down. */
export const maxUnavailable = (deployment: Deployment): number => {
  const replicas = wantedReplicas(deployment);
  return isRollingUpdate(deployment) && replicas > 0 ? Math.min(fenceposts(deployment).unavailable, replicas) : 0;
};

const fenceposts = (deployment: Deployment): { readonly surge: number; readonly unavailable: number } => {
  const replicas = wantedReplicas(deployment);
  const limits = deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = resolve(limits.maxSurge ?? '25%', replicas, Math.ceil);
  const unavailable = resolve(limits.maxUnavailable ?? '25%', replicas, Math.floor);
  // both 0 would stand still for ever
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
};

const resolve = (value: number | string, replicas: number, round: (amount: number) => number): number =>
  typeof value === 'number' ? value : round((Number.parseInt(value, 10) * replicas) / 100);

export const specReplicas = (replicaSets: readonly ReplicaSet[]): number =>
  replicaSets.reduce((total, replicaSet) => total + wantedReplicas(replicaSet), 0);

export const isActive = (replicaSet: ReplicaSet): boolean => wantedReplicas(replicaSet) > 0;

/** How many replicas the new ReplicaSet may have now. */
export const newReplicasOf = (deployment: Deployment, all: readonly ReplicaSet[], current: number): number => {
  const wanted = wantedReplicas(deployment);
  if (!isRollingUpdate(deployment)) return wanted;
  const room = wanted + maxSurge(deployment) - specReplicas(all);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
};

/** A share of replicas for each ReplicaSet when a Deployment is scaled in the middle of an update. */
export const proportionalSizes = (deployment: Deployment, active: readonly ReplicaSet[]): ReadonlyMap<ReplicaSet, number> => {
  const wanted = wantedReplicas(deployment);
  const allowed = wanted > 0 ? wanted + maxSurge(deployment) : 0;
  const toAdd = allowed - specReplicas(active);
  const bySize = active.toSorted((a, b) => wantedReplicas(b) - wantedReplicas(a) || (toAdd > 0 ? -1 : 1) * compareAge(a, b));
  const sizes = new Map<ReplicaSet, number>();
  let added = 0;
  for (const replicaSet of bySize) {
    const left = toAdd - added;
    const share = fractionOf(deployment, replicaSet);
    const proportion = left === 0 ? 0 : toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
    sizes.set(replicaSet, wantedReplicas(replicaSet) + proportion);
    added += proportion;
  }
  const [largest] = bySize;
  if (largest !== undefined) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added));
  return sizes;
};

const fractionOf = (deployment: Deployment, replicaSet: ReplicaSet): number => {
  const size = wantedReplicas(replicaSet);
  const wanted = wantedReplicas(deployment);
  if (wanted === 0) return -size;
  const before = maxReplicasOf(replicaSet) || (deployment.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round((size * (wanted + maxSurge(deployment))) / before) - size;
};

/** Older first; by name where they are of the same second. */
export const compareAge = (a: ReplicaSet, b: ReplicaSet): number => {
  const [first = '', second = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return first === second ? (a.metadata.name < b.metadata.name ? -1 : 1) : first < second ? -1 : 1;
};
