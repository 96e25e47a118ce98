import { applyObjects } from '../network/before-apply/apply-objects.ts';
import { compareStates, type ReachDiff } from '../network/diff/reach-diff.ts';
import { doubtsOfGaps } from '../network/inventory/gap.ts';
import { namespacesOf, type Inventory } from '../network/inventory/inventory.ts';
import { evaluateInventory } from '../network/matrix/network-state.ts';
import { outsideOf } from '../network/inventory/outside.ts';
import type { Note } from '../network/query/answer.ts';
import type { Context } from './context.ts';
import { loadNetwork } from './load-network.ts';
import { lintNotes, networkNotes } from './network-notes.ts';
import type { NetworkOrigin, NetworkSource } from './network-source.ts';
import { readCni } from './read-cni.ts';

export interface BeforeApplyRequest {
  /** What is there. */
  readonly source: NetworkSource;
  /** A manifest, or a folder of them: what would be applied. */
  readonly file: string;
  readonly cni?: string;
}

/** The keys are a stable interface: schemas/netcheck.v1.json. */
export interface BeforeApplyResult extends ReachDiff {
  readonly kind: 'beforeApply';
  readonly source: NetworkOrigin;
  readonly file: string;
  readonly notes: readonly Note[];
}

/**
 * Which pairs would gain or lose which ports if the manifests were applied now. Nothing is written. Its outcome is that of a diff.
 *
 * @throws PoimenError usage: a source or a file that cannot be used; refused: the cluster cannot be read.
 */
export const netcheckBeforeApply = async ({ source, file, cni }: BeforeApplyRequest, context: Context): Promise<BeforeApplyResult> => {
  const profile = readCni(cni);
  const read = (namespace: string | undefined) =>
    loadNetwork({ kind: 'manifests', path: file, ...(namespace === undefined ? {} : { namespace }) }, [], context);
  const given = source.kind === 'manifests' ? source.namespace : source.flags.namespace;
  const present = await loadNetwork(source, [...namespacesOf((await read(given)).inventory)], context);
  const applied = await read(given ?? present.namespace);
  const outside = outsideOf([...present.inventory.policies, ...applied.inventory.policies]);
  const evaluate = (inventory: Inventory) => evaluateInventory(inventory, outside, profile);
  const unread = [...present.inventory.gaps, ...applied.inventory.gaps];
  const before = evaluate({
    ...present.inventory,
    gaps: unread,
    doubts: [...present.inventory.doubts, ...doubtsOfGaps(applied.inventory.gaps)],
  });
  const after = applyObjects({ objects: present.objects, state: before, evaluate }, applied.objects);
  return {
    kind: 'beforeApply',
    source: present.origin,
    file,
    ...compareStates(before, after, profile),
    notes: [
      ...networkNotes(present),
      ...[...applied.inventory.gaps.map(({ message }) => message), ...applied.problems].map((text): Note => ({
        code: 'NotUsed',
        severity: 'caution',
        text,
      })),
      ...lintNotes(applied.inventory.policies, after.inventory, after.engine),
    ],
  };
};
