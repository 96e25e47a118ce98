import type { LabelSelector } from './label-selector.ts';
import { controllerOf, type Condition, type KubernetesObject } from './object.ts';
import { isPodAvailable, isPodReady, isTerminal, isTerminating, type Pod, type PodTemplate } from './pod.ts';
import { podProgress } from './pod-progress.ts';
import { podTroubles, type PodTrouble } from './pod-trouble.ts';
import { currentReplicaSet, replicaSetTroubles, type ReplicaSet } from './replica-set.ts';

/**
 * The fields of a Deployment that poimen reads.
 *
 * Source: Kubernetes API reference, Deployment v1 apps.
 */
export interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly minReadySeconds?: number;
    readonly progressDeadlineSeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly strategy?: {
      readonly type?: 'Recreate' | 'RollingUpdate';
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

export const isPaused = (deployment: Deployment): boolean => deployment.spec.paused === true;

/** The API server's default is 1. */
export const wantedReplicas = (workload: { readonly spec: { readonly replicas?: number } }): number => workload.spec.replicas ?? 1;

/** The controller has seen the object as it is now; before that, its status speaks of an older one. */
export const isObserved = (object: KubernetesObject & { readonly status?: { readonly observedGeneration?: number } }): boolean =>
  object.metadata.generation === undefined || (object.status?.observedGeneration ?? 0) >= object.metadata.generation;

export type PodReadyState =
  | { readonly ready: true; readonly pods: readonly Pod[] }
  /** `missing` is for a person who waits: "0 of 1 pods ready; clef-candle-7d9f: starting". */
  | { readonly ready: false; readonly missing: string; readonly troubles: readonly PodTrouble[] };

/**
 * Whether the Deployment's pods could take traffic now: the controller has seen the spec, at least one replica is wanted, and
 * as many pods *of the current ReplicaSet* are ready, for `minReadySeconds` and with their readiness gates.
 * The Deployment's own "Available" is not asked: it is True at 0 replicas and while an old pod serves (kserve#4626,
 * kubernetes PR#113228).
 *
 * `pods` may hold others too. `now` is in milliseconds since the Unix epoch.
 */
export const podReadyState = (
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  pods: readonly Pod[],
  now: number,
): PodReadyState => {
  const notReady = (missing: string, troubles: readonly PodTrouble[] = []): PodReadyState => ({ ready: false, missing, troubles });
  const wanted = wantedReplicas(deployment);
  if (!isObserved(deployment)) return notReady('the deployment controller has not seen the change yet');
  if (wanted < 1) return notReady(`deployment/${deployment.metadata.name} is scaled to 0`);
  const replicaSet = currentReplicaSet(deployment, replicaSets);
  if (replicaSet === undefined) return notReady('no replica set for the current pod template yet');

  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const own = pods.filter((pod) => controllerOf(pod)?.uid === replicaSet.metadata.uid && !isTerminal(pod) && !isTerminating(pod));
  const available = own.filter((pod) => isPodAvailable(pod, minReadySeconds, now));
  if (available.length >= wanted) return { ready: true, pods: available };

  const others = own.filter((pod) => !available.includes(pod));
  const progress = others.map(
    (pod) => `${pod.metadata.name}: ${isPodReady(pod) ? `ready for less than ${minReadySeconds} s` : podProgress(pod)}`,
  );
  return notReady([`${available.length} of ${wanted} pods ready`, ...progress].join('; '), [
    ...replicaSetTroubles(replicaSet),
    ...others.flatMap((pod) => podTroubles(pod, now)),
  ]);
};
