import type { ChangeResult, RunOutcome, RunResult, StepResult } from './event.ts';
import type { Failure } from './failure.ts';
import type { Plan } from './plan.ts';

export interface RunFacts extends Pick<RunResult, 'run' | 'runbook' | 'simulated' | 'probed' | 'startedAt' | 'finishedAt'> {
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  readonly failure: Failure | undefined;
  /** Of the steps that were reached, by id. */
  readonly results: ReadonlyMap<string, StepResult>;
  readonly changes: readonly ChangeResult[];
  readonly outage: RunResult['outage'] | undefined;
  readonly warnings: readonly string[];
  readonly commands: { readonly again: string; readonly back: string };
}

/** The document that tells how a run ended. */
export const runResult = ({ plan, outcome, failure, results, changes, outage, warnings, commands, ...facts }: RunFacts): RunResult => ({
  ...facts,
  outcome,
  cluster: plan.cluster,
  steps: plan.steps.map(({ id, title }) => results.get(id) ?? { id, title, state: outcome === 'nothingToDo' ? 'satisfied' : 'notReached' }),
  changes,
  ...(outage === undefined ? {} : { outage }),
  ...(failure === undefined ? {} : { failure: failureIn(failure) }),
  warnings,
  nextSteps: [
    ...(failure === undefined || outcome === 'refused' ? [] : [`to go on: ${commands.again}`]),
    ...(failure === undefined || changes.length > 0 ? [`to go back: ${commands.back}`] : []),
  ],
});

const failureIn = ({ step, reason, troubles = [], blockers = [] }: Failure): NonNullable<RunResult['failure']> => ({
  ...(step === undefined ? {} : { step }),
  reason,
  troubles,
  blockers,
});
