import { wantedReplicas, type Deployment } from '../../kubernetes/deployment.ts';
import { revisionAnnotation, revisionOf, type ReplicaSet } from '../../kubernetes/replica-set.ts';

const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history';
const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas';

/** What of a Deployment's annotations is not its ReplicaSets'. */
const notCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  'deprecated.deployment.rollback.to',
]);

export type Annotations = Readonly<Record<string, string>>;

/**
 * The annotations of the new ReplicaSet: those of the Deployment copied over its own, and its revision, with the earlier ones it
 * had (it has been rolled back to) as its history.
 *
 * Source: kubernetes `SetNewReplicaSetAnnotations`.
 */
export const annotationsOfNew = (deployment: Deployment, replicaSet: ReplicaSet | undefined, revision: number): Annotations => {
  const annotations: Record<string, string> = { ...replicaSet?.metadata.annotations };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (!notCopied.has(key)) annotations[key] = value;
  const earlier = replicaSet === undefined ? 0 : revisionOf(replicaSet);
  if (earlier >= revision) return annotations;
  annotations[revisionAnnotation] = String(revision);
  if (earlier > 0) {
    const history = annotations[revisionHistoryAnnotation];
    annotations[revisionHistoryAnnotation] = history === undefined ? String(earlier) : `${history},${earlier}`;
  }
  return annotations;
};

/** How many replicas the Deployment wanted, and could have had at the most, when the ReplicaSet was last scaled. */
export const scaleAnnotations = (deployment: Deployment, surge: number): Annotations => ({
  [desiredReplicasAnnotation]: String(wantedReplicas(deployment)),
  [maxReplicasAnnotation]: String(wantedReplicas(deployment) + surge),
});

export const desiredReplicasOf = (replicaSet: ReplicaSet): number | undefined => numberIn(replicaSet, desiredReplicasAnnotation);
export const maxReplicasOf = (replicaSet: ReplicaSet): number | undefined => numberIn(replicaSet, maxReplicasAnnotation);

const numberIn = (replicaSet: ReplicaSet, annotation: string): number | undefined => {
  const text = replicaSet.metadata.annotations?.[annotation];
  const value = Number(text);
  return text === undefined || !Number.isInteger(value) ? undefined : value;
};

/** Whether `wanted` says anything that `present` does not. */
export const adds = (wanted: Annotations, present: Annotations | undefined): boolean =>
  Object.entries(wanted).some(([key, value]) => present?.[key] !== value);
