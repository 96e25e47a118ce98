import { wantedReplicas, type Deployment } from '../../kubernetes/deployment.ts';
import type { Condition } from '../../kubernetes/object.ts';
import type { ReplicaSet } from '../../kubernetes/replica-set.ts';
import { formatTime } from '../api/timestamp.ts';
import { findCondition, removeCondition, setCondition, withoutZeros } from './conditions.ts';
import { maxUnavailable, specReplicas } from './rolling-update.ts';

/** A Deployment's condition has a second time: when it was last written, also with the status that it had. */
export interface DeploymentCondition extends Condition {
  readonly lastUpdateTime?: string;
}

export interface DeploymentStatus {
  readonly observedGeneration: number;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
  readonly collisionCount?: number;
  readonly conditions: readonly DeploymentCondition[];
}

/** What the status is made from. */
export interface DeploymentState {
  readonly deployment: Deployment;
  /** As they are before this status: those of the stored one, and what the sync has found out since. */
  readonly conditions: readonly DeploymentCondition[];
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  readonly collisionCount?: number;
  readonly now: number;
}

const newReplicaSetAvailable = 'NewReplicaSetAvailable';
export const timedOut = 'ProgressDeadlineExceeded';

export const deploymentCondition = (
  type: string,
  status: Condition['status'],
  reason: string,
  message: string,
  now: number,
): DeploymentCondition => ({ type, status, lastUpdateTime: formatTime(now), lastTransitionTime: formatTime(now), reason, message });

/** 2147483647 seconds stand for "no deadline". Source: kubernetes `HasProgressDeadline`. */
export const hasProgressDeadline = ({ spec }: Deployment): boolean =>
  spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== 2_147_483_647;

/**
 * Counts from the ReplicaSets, and Available, which is True at 0 replicas.
 *
 * Source: kubernetes `calculateStatus` of pkg/controller/deployment/sync.go.
 */
export const countedStatus = (state: DeploymentState): DeploymentStatus => {
  const { deployment, current, old, now } = state;
  const all = current === undefined ? old : [...old, current];
  const availableReplicas = sum(all, 'availableReplicas');
  const isAvailable = availableReplicas >= wantedReplicas(deployment) - maxUnavailable(deployment);
  const available = isAvailable
    ? deploymentCondition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : deploymentCondition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', now);
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(all, 'replicas'),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(all, 'readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, specReplicas(all) - availableReplicas),
    ...(state.collisionCount === undefined ? {} : { collisionCount: state.collisionCount }),
    conditions: setCondition(state.conditions, available),
  };
};

/**
 * The status in a rollout: the counts, how it progresses, and why no pods are made.
 *
 * Source: kubernetes `syncRolloutStatus` of pkg/controller/deployment/progress.go.
 */
export const rolloutStatus = (state: DeploymentState): DeploymentStatus => {
  const status = countedStatus(state);
  const conditions = withReplicaFailure(withProgress(status, state), state);
  return { ...status, conditions };
};

const withProgress = (status: DeploymentStatus, state: DeploymentState): readonly DeploymentCondition[] => {
  const { deployment, current, now } = state;
  if (!hasProgressDeadline(deployment)) return removeCondition(status.conditions, 'Progressing');
  const progressing = findCondition(state.conditions, 'Progressing');
  const isDone = status.replicas === status.updatedReplicas && progressing?.reason === newReplicaSetAvailable;
  if (isDone) return status.conditions;

  const subject = current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`;
  if (isComplete(deployment, status)) {
    const condition = deploymentCondition('Progressing', 'True', newReplicaSetAvailable, `${subject} has successfully progressed.`, now);
    return setCondition(status.conditions, condition);
  }
  if (hasProgressed(deployment, status)) {
    const condition = deploymentCondition('Progressing', 'True', 'ReplicaSetUpdated', `${subject} is progressing.`, now);
    const since = progressing?.status === 'True' ? progressing.lastTransitionTime : undefined;
    return [
      ...removeCondition(status.conditions, 'Progressing'),
      since === undefined ? condition : { ...condition, lastTransitionTime: since },
    ];
  }
  if (progressing !== undefined && deadlineOf(deployment, progressing) < now) {
    return setCondition(
      status.conditions,
      deploymentCondition('Progressing', 'False', timedOut, `${subject} has timed out progressing.`, now),
    );
  }
  return status.conditions;
};

/** When progress counts as exceeded; never, after a rollout that has completed. */
const deadlineOf = (deployment: Deployment, { reason, lastUpdateTime = '' }: DeploymentCondition): number =>
  reason === newReplicaSetAvailable ? Infinity : Date.parse(lastUpdateTime) + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000;

/** Milliseconds until the rollout has to be looked at again; `undefined` when nothing is being waited for. */
export const progressCheckInMs = (deployment: Deployment, status: DeploymentStatus, now: number): number | undefined => {
  const progressing = findCondition(status.conditions, 'Progressing');
  if (!hasProgressDeadline(deployment) || progressing === undefined || isComplete(deployment, status) || progressing.reason === timedOut)
    return undefined;
  const deadline = deadlineOf(deployment, progressing);
  return deadline === Infinity ? undefined : Math.max(0, deadline - now) + 1000;
};

export const isComplete = (deployment: Deployment, status: Partial<DeploymentStatus>): boolean => {
  const wanted = wantedReplicas(deployment);
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
};

const hasProgressed = ({ status: before }: Deployment, after: DeploymentStatus): boolean => {
  const updatedBefore = before?.updatedReplicas ?? 0;
  return (
    after.updatedReplicas > updatedBefore ||
    after.replicas - after.updatedReplicas < (before?.replicas ?? 0) - updatedBefore ||
    after.readyReplicas > (before?.readyReplicas ?? 0) ||
    after.availableReplicas > (before?.availableReplicas ?? 0)
  );
};

/** A ReplicaSet that may not make its pods says so; the new one's reason comes first. */
const withReplicaFailure = (
  conditions: readonly DeploymentCondition[],
  { current, old }: DeploymentState,
): readonly DeploymentCondition[] => {
  const [failure] = [...(current === undefined ? [] : [current]), ...old].flatMap(
    ({ status }) => findCondition(status?.conditions, 'ReplicaFailure') ?? [],
  );
  if (failure === undefined) return removeCondition(conditions, 'ReplicaFailure');
  const { type, status, reason = '', message = '', lastTransitionTime = '' } = failure;
  return setCondition(conditions, { type, status, lastUpdateTime: lastTransitionTime, lastTransitionTime, reason, message });
};

/** As the API server writes it. */
export const storedStatus = (status: DeploymentStatus): Partial<DeploymentStatus> => withoutZeros(status);

const sum = (replicaSets: readonly ReplicaSet[], field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number =>
  replicaSets.reduce((total, { status }) => total + (status?.[field] ?? 0), 0);
