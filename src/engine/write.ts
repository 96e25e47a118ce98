import { delay, type Clock } from '../clock/clock.ts';
import { ConnectionError, isApiError } from '../cluster/api-error.ts';
import { fieldManager, type Cluster } from '../cluster/cluster.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Mutation } from '../steps/step-kind.ts';
import { isStale, judgeWrite, rebase } from './judge-write.ts';

export type WriteOutcome =
  | { readonly kind: 'written'; readonly object: KubernetesObject }
  /** The server refused it, because somebody else had just written the same. */
  | { readonly kind: 'writtenByOthers'; readonly object: KubernetesObject }
  /** Somebody else changed what the write depends on: nothing was written. */
  | { readonly kind: 'changed'; readonly object: KubernetesObject | undefined }
  /** The server took the write and stored something else (a webhook mutates, a CRD prunes). */
  | { readonly kind: 'altered'; readonly object: KubernetesObject }
  /** The server refused it. */
  | { readonly kind: 'refused'; readonly error: Error }
  /** Nobody knows: neither the write nor the reading back was answered. */
  | { readonly kind: 'unknown'; readonly error: Error };

const attempts = 4;
const firstPauseMs = 200;

/**
 * Sends one mutation until it is known what became of it.
 *
 * A lost response is not a failure: the object is read and judged. A write whose preconditions still hold is sent again, and
 * because every mutation tests what it replaces, sending it twice cannot take effect twice. The signal is deliberately not a
 * parameter: a write in hand is finished.
 */
export const write = async (cluster: Cluster, clock: Clock, mutation: Mutation): Promise<WriteOutcome> => {
  let current = mutation;
  let mayHaveLanded = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const object = await cluster.patch(current.target, { type: 'json', operations: current.patch }, { fieldManager });
      return { kind: judgeWrite(current, object) === 'applied' ? 'written' : 'altered', object };
    } catch (error) {
      if (!isUndecided(error)) return { kind: 'refused', error: asError(error) };
      mayHaveLanded ||= !isApiError(error, 409, 422, 429);
      const found = await readBack(cluster, current, asError(error));
      if (found.kind !== 'found') return found;
      const { object } = found;
      const verdict = judgeWrite(current, object);
      if (verdict === 'applied') return { kind: mayHaveLanded ? 'written' : 'writtenByOthers', object };
      if (verdict === 'changed') return { kind: 'changed', object };
      const preconditionsHeld = !isStale(current, object);
      // 422 is a failed test, but also any validation error: with every test holding it is the latter.
      if (isApiError(error, 422) && preconditionsHeld) return { kind: 'refused', error };
      if (attempt === attempts) return { kind: 'refused', error: asError(error) };
      current = rebase(current, object);
      if (preconditionsHeld) await delay(clock, firstPauseMs * 2 ** (attempt - 1));
    }
  }
};

/** Errors after which the object has to be read before anything can be said. */
const isUndecided = (error: unknown): boolean =>
  error instanceof ConnectionError || isApiError(error, 409, 422, 429) || (isApiError(error) && error.status.code >= 500);

const readBack = async (
  cluster: Cluster,
  mutation: Mutation,
  cause: Error,
): Promise<{ kind: 'found'; object: KubernetesObject } | { kind: 'changed'; object: undefined } | { kind: 'unknown'; error: Error }> => {
  try {
    const object = await cluster.get(mutation.target);
    return object === undefined ? { kind: 'changed', object: undefined } : { kind: 'found', object };
  } catch {
    return { kind: 'unknown', error: cause };
  }
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
