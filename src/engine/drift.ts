import { isDeepStrictEqual } from 'node:util';
import type { ClusterState, Mutation } from '../steps/step-kind.ts';
import { changesOf } from './judge-write.ts';
import type { PlannedStep } from './plan.ts';

/**
 * Why a step would now write something else than what the plan showed; `undefined` when it would not.
 *
 * What the plan showed and somebody has done meanwhile is no drift: it is simply not written. A step that was to be skipped by its
 * `when` has shown nothing and may write.
 */
export const driftOf = (planned: PlannedStep, mutations: readonly Mutation[], state: ClusterState): string | undefined => {
  if (planned.state === 'skipped') return undefined;
  for (const change of mutations.flatMap((mutation) => changesOf(mutation, state.get(mutation.target)))) {
    const shown = planned.changes.find(({ object, path }) => object === change.object && path === change.path);
    const now = `${change.object} ${change.path} is ${JSON.stringify(change.before)}`;
    if (shown === undefined) return `somebody else changed it since the plan was made: ${now}, and the plan had nothing to write there`;
    if (!isDeepStrictEqual(shown.before, change.before)) {
      return `somebody else changed it since the plan was made: ${now}, and was ${JSON.stringify(shown.before)}`;
    }
    if (!isDeepStrictEqual(shown.after, change.after)) {
      return `the plan showed ${change.path}: ${JSON.stringify(shown.after)}, and it would now become ${JSON.stringify(change.after)}`;
    }
  }
  return undefined;
};
