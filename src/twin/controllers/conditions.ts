import type { Condition } from '../../kubernetes/object.ts';

/**
 * `conditions` with this one in it, at the end. Where status and reason are what they were, nothing changes (not even the
 * message); where the status is, the time of the last transition stays.
 *
 * Source: kubernetes `SetDeploymentCondition`, `SetCondition` of the ReplicaSet controller.
 */
export const setCondition = <T extends Condition>(conditions: readonly T[], condition: T): readonly T[] => {
  const current = conditions.find(({ type }) => type === condition.type);
  if (current !== undefined && current.status === condition.status && current.reason === condition.reason) return conditions;
  const keptTime = current?.status === condition.status && current.lastTransitionTime !== undefined;
  return [
    ...removeCondition(conditions, condition.type),
    keptTime ? { ...condition, lastTransitionTime: current.lastTransitionTime } : condition,
  ];
};

/** The same array when there is none of the type. */
export const removeCondition = <T extends Condition>(conditions: readonly T[], type: string): readonly T[] =>
  conditions.some((condition) => condition.type === type) ? conditions.filter((condition) => condition.type !== type) : conditions;

export const findCondition = <T extends Condition>(conditions: readonly T[] | undefined, type: string): T | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Fields that are 0 or empty are left out, as the API server's serializer does. */
export const withoutZeros = <T extends object>(status: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== 0 && value !== undefined && !(Array.isArray(value) && value.length === 0)),
  ) as Partial<T>;
