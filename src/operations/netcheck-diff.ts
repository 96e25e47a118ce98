import type { Outcome } from '../errors/exit-codes.ts';
import { compareStates, lossOf, type ReachDiff } from '../network/diff/reach-diff.ts';
import { evaluateInventory } from '../network/matrix/network-state.ts';
import { outsideOf } from '../network/inventory/outside.ts';
import type { Note } from '../network/query/answer.ts';
import type { Context } from './context.ts';
import { loadNetwork } from './load-network.ts';
import { lintNotes, networkNotes } from './network-notes.ts';
import type { NetworkOrigin } from './network-source.ts';
import { readCni } from './read-cni.ts';

export interface DiffRequest {
  /** Folders or files of manifests. */
  readonly before: string;
  readonly after: string;
  /** Of objects that name none. */
  readonly namespace?: string;
  readonly cni?: string;
}

/** The keys are a stable interface: schemas/netcheck.v1.json. */
export interface DiffResult extends ReachDiff {
  readonly kind: 'diff';
  readonly before: NetworkOrigin;
  readonly after: NetworkOrigin;
  readonly notes: readonly Note[];
}

/**
 * Which pairs gained or lost which ports, and by which change.
 *
 * @throws PoimenError usage: a folder that cannot be used.
 */
export const netcheckDiff = async ({ before, after, namespace, cni }: DiffRequest, context: Context): Promise<DiffResult> => {
  const profile = readCni(cni);
  const load = (path: string) => loadNetwork({ kind: 'manifests', path, ...(namespace === undefined ? {} : { namespace }) }, [], context);
  const [old, now] = [await load(before), await load(after)];
  const outside = outsideOf([...old.inventory.policies, ...now.inventory.policies]);
  const [stateThen, stateNow] = [evaluateInventory(old.inventory, outside, profile), evaluateInventory(now.inventory, outside, profile)];
  const diff = compareStates(stateThen, stateNow, profile);
  const notes = [...networkNotes(old), ...networkNotes(now), ...lintNotes(now.inventory.policies, now.inventory, stateNow.engine)];
  return { kind: 'diff', before: old.origin, after: now.origin, ...diff, notes };
};

/**
 * "Does everybody who is there before and after keep what they had?" No, when somebody lost a port; unknown, when somebody may have. What
 * is gained is shown and is a yes.
 */
export const outcomeOfDiff = (diff: ReachDiff): Outcome => {
  const loss = lossOf(diff);
  if (loss === 'lost') return 'no';
  return loss === 'unknown' || diff.dependsOn.length > 0 ? 'unknown' : 'done';
};
