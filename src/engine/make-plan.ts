import type { ClusterIdentity } from '../cluster/cluster.ts';
import type { Runbook, RunbookStep } from '../runbook/runbook.ts';
import type { ClusterState, Decision } from '../steps/step-kind.ts';
import { changesOf } from './judge-write.ts';
import type { Plan, PlannedStep } from './plan.ts';

/** Decides what a run of this runbook would do, from one observation. Pure: nothing is sent. */
export const makePlan = (runbook: Runbook, state: ClusterState, cluster: ClusterIdentity, probing: boolean): Plan => {
  const decided = runbook.steps.map((step) => decide(step, state));
  const steps = decided.map(({ planned }) => planned);
  const blockers = decided.flatMap(({ decision }) => (decision?.kind === 'blocked' ? decision.blockers : []));
  return {
    runbook: runbook.name,
    summary: runbook.summary,
    hash: runbook.hash,
    cluster,
    probing,
    steps,
    blockers: unique(blockers, ({ code, reason }) => `${code} ${reason}`),
    warnings: unique(
      decided.flatMap(({ decision }) => decision?.warnings ?? []),
      (warning) => warning,
    ),
    nothingToDo: blockers.length === 0 && steps.every(({ state: wanted }) => wanted === 'satisfied' || wanted === 'skipped'),
  };
};

const decide = (step: RunbookStep, state: ClusterState): { readonly planned: PlannedStep; readonly decision: Decision | undefined } => {
  const { kind, input } = step;
  const common = {
    id: step.id,
    kind: kind.name,
    title: kind.title(input),
    deadlineMs: step.deadlineMs,
    ...(step.when === undefined ? {} : { when: step.when.source }),
    ...(step.postcondition === undefined ? {} : { postcondition: step.postcondition.source }),
    ...(step.reachability === undefined ? {} : { reachability: step.reachability }),
  };
  const idle = { mutations: [], changes: [], undo: [] };

  const when = step.when?.evaluate(state);
  if (when?.kind === 'error') {
    const blockers = [
      { code: 'ConditionFailed', reason: `step ${step.id}: when: ${step.when?.source ?? ''}: ${when.message}`, nextSteps: [] },
    ];
    return { planned: { ...common, ...idle, state: 'blocked' }, decision: { kind: 'blocked', blockers } };
  }
  if (when?.kind === 'false') return { planned: { ...common, ...idle, state: 'skipped' }, decision: undefined };

  const observed = kind.observe(input, state);
  const decision = kind.plan(input, observed);
  if (decision.kind !== 'change' || decision.mutations.length === 0) {
    const satisfied = decision.kind === 'satisfied' && kind.settled(input, observed, observed).done && postconditionHolds(step, state);
    const wanted = decision.kind === 'blocked' ? 'blocked' : satisfied ? 'satisfied' : 'check';
    return { planned: { ...common, ...idle, state: wanted }, decision };
  }
  const undo = kind.undo(input, observed);
  return {
    planned: {
      ...common,
      state: 'change',
      mutations: decision.mutations,
      changes: decision.mutations.flatMap((mutation) => changesOf(mutation, state.get(mutation.target))),
      undo: undo.kind === 'change' ? undo.mutations : [],
    },
    decision,
  };
};

const postconditionHolds = (step: RunbookStep, state: ClusterState): boolean =>
  step.postcondition === undefined || step.postcondition.evaluate(state).kind === 'true';

/** Of equals the first: what the preflight says of an object has more advice than the steps that come after it. */
const unique = <T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] => {
  const first = new Map<string, T>();
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
  return [...first.values()];
};
