import type { KubernetesObject, ObjectMeta } from '../../kubernetes/object.ts';
import { rulesOf } from './kinds/rules.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { formatTime } from './timestamp.ts';

export type DeletionDecision =
  | { readonly kind: 'remove' }
  /** The object stays, Terminating, with these metadata. */
  | { readonly kind: 'mark'; readonly metadata: ObjectMeta }
  /** It is Terminating already, and the request asks for nothing shorter. */
  | { readonly kind: 'pending' };

export interface DeletionWish {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
}

/**
 * What becomes of an object that somebody wants deleted.
 *
 * Source: apiserver `pkg/registry/rest/delete.go`, `BeforeDelete`, and `pkg/registry/generic/registry/store.go`, `Delete`.
 */
export const decideDeletion = (resource: Resource, object: KubernetesObject, wish: DeletionWish, nowMs: number): DeletionDecision => {
  const rules = rulesOf(resource);
  const requested = wish.gracePeriodSeconds === undefined ? undefined : wish.gracePeriodSeconds < 0 ? 1 : wish.gracePeriodSeconds;
  const finalizers = withPropagation(object.metadata.finalizers ?? [], wish.propagationPolicy);
  const isTerminating = object.metadata.deletionTimestamp !== undefined;
  const graceSeconds = isTerminating ? shortenedGrace(object.metadata, requested) : (rules.gracePeriodSeconds?.(object, requested) ?? 0);
  if (graceSeconds === 0 && finalizers.length === 0 && rules.isHeld?.(object) !== true) return { kind: 'remove' };

  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  if (deletionTimestamp === undefined) {
    return { kind: 'mark', metadata: withFinalizers(markedForDeletion(object.metadata, graceSeconds, nowMs), finalizers) };
  }
  const isShorter = graceSeconds < deletionGracePeriodSeconds;
  if (!isShorter) {
    return finalizers.length === (object.metadata.finalizers?.length ?? 0)
      ? { kind: 'pending' }
      : { kind: 'mark', metadata: withFinalizers(object.metadata, finalizers) };
  }
  const deadlineMs = Date.parse(deletionTimestamp) - (deletionGracePeriodSeconds - graceSeconds) * 1000;
  const isOver = deadlineMs < nowMs;
  return {
    kind: 'mark',
    metadata: {
      ...withFinalizers(object.metadata, finalizers),
      deletionTimestamp: formatTime(isOver ? nowMs : deadlineMs),
      deletionGracePeriodSeconds: isOver && graceSeconds !== 0 ? 1 : graceSeconds,
    },
  };
};

const withFinalizers = (metadata: ObjectMeta, finalizers: readonly string[]): ObjectMeta => {
  const { finalizers: _, ...others } = metadata;
  return finalizers.length === 0 ? others : { ...others, finalizers };
};

/** A second deletion may only shorten the first one's grace. */
const shortenedGrace = (metadata: ObjectMeta, requested: number | undefined): number => {
  const pending = metadata.deletionGracePeriodSeconds ?? 0;
  return Math.min(pending, requested ?? pending);
};

/** Controllers have something new to observe, so the generation moves, where the kind has one. */
const markedForDeletion = (metadata: ObjectMeta, graceSeconds: number, nowMs: number): ObjectMeta => ({
  ...metadata,
  deletionTimestamp: formatTime(nowMs + graceSeconds * 1000),
  deletionGracePeriodSeconds: graceSeconds,
  ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
});

const propagationFinalizers = { Orphan: 'orphan', Foreground: 'foregroundDeletion' } as const;

/** The garbage collector is told by a finalizer what to do with the dependents before the object may go. */
const withPropagation = (finalizers: readonly string[], policy: DeletionWish['propagationPolicy']): readonly string[] => {
  if (policy === undefined) return finalizers;
  const others = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  return policy === 'Background' ? others : [...others, propagationFinalizers[policy]];
};

/** Terminating, out of grace, and nobody holds it any more. */
export const isDeletionComplete = (resource: Resource, object: KubernetesObject): boolean => {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  const isLeft = deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
  return isLeft && rulesOf(resource).isHeld?.(object) !== true;
};
