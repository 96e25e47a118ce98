import type { Condition } from '../../kubernetes/object.ts';
import type { Pod, PodStatus } from '../../kubernetes/pod.ts';
import { formatTime } from '../api/timestamp.ts';

export interface PodConditionWish {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The pod's status with these conditions in it, in place of those of the same types. The time of the last transition moves with
 * the status alone. The same status when nothing else changes.
 *
 * Source: kubernetes `UpdatePodCondition` of pkg/api/v1/pod.
 */
export const withPodConditions = (pod: Pod, wishes: readonly PodConditionWish[], now: number): PodStatus => {
  const status = pod.status ?? {};
  let conditions = status.conditions ?? [];
  for (const wish of wishes) {
    const index = conditions.findIndex(({ type }) => type === wish.type);
    const current = conditions[index];
    if (current !== undefined && current.status === wish.status && current.reason === wish.reason && current.message === wish.message)
      continue;
    const changed = podCondition(pod, wish, current, now);
    conditions = current === undefined ? [...conditions, changed] : conditions.with(index, changed);
  }
  return conditions === status.conditions ? status : { ...status, conditions };
};

const podCondition = (
  { metadata }: Pod,
  wish: PodConditionWish,
  current: Condition | undefined,
  now: number,
): Condition & { readonly lastProbeTime: null } => {
  const since = current?.status === wish.status ? current.lastTransitionTime : undefined;
  return {
    ...wish,
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    lastProbeTime: null,
    lastTransitionTime: since ?? formatTime(now),
  };
};
