import { ApiError, ConnectionError } from '../cluster/api-error.ts';
import type { ClusterIdentity } from '../cluster/cluster.ts';
import { explainApiError } from '../cluster/explain-api-error.ts';
import { PoimenError } from '../errors/poimen-error.ts';
import { fullName } from '../kubernetes/reference.ts';
import type { RunbookStep } from '../runbook/runbook.ts';
import type { Blocker, Mutation, Trouble } from '../steps/step-kind.ts';
import { changesOf } from './judge-write.ts';
import type { WaitResult } from './wait.ts';
import type { WriteOutcome } from './write.ts';

/** Why a run does not go on. */
export interface Failure {
  readonly kind: 'failed' | 'interrupted';
  /** Absent: before the first step. */
  readonly step?: string;
  readonly reason: string;
  readonly troubles?: readonly Trouble[];
  readonly blockers?: readonly Blocker[];
}

export const failedAt = (step: RunbookStep, reason: string): Failure => ({ kind: 'failed', step: step.id, reason });

export const interruptedAt = (step: RunbookStep, reason: string): Failure => ({ kind: 'interrupted', step: step.id, reason });

export const failureOfWait = (step: RunbookStep, waited: Exclude<WaitResult, { kind: 'settled' }>): Failure => {
  switch (waited.kind) {
    case 'interrupted':
      return interruptedAt(step, waited.missing);
    case 'trouble':
      return { ...failedAt(step, waited.troubles.map(({ object, code }) => `${object}: ${code}`).join(', ')), troubles: waited.troubles };
    case 'deadline':
      return { ...failedAt(step, `the deadline passed: ${waited.missing}`), troubles: waited.troubles };
  }
};

/** `undefined` for what is no answer of a cluster's: a bug. */
export const failureOfError = (step: RunbookStep, error: unknown, cluster: ClusterIdentity): Failure | undefined => {
  const explained = error instanceof ApiError || error instanceof ConnectionError ? explainApiError(error, cluster) : error;
  if (!(explained instanceof PoimenError)) return undefined;
  const { message: summary, detail, code, nextSteps } = explained;
  return {
    ...failedAt(step, detail === undefined ? summary : `${summary}: ${detail}`),
    blockers: [{ code, reason: summary, nextSteps }],
  };
};

export const failureOfWrite = (
  step: RunbookStep,
  mutation: Mutation,
  outcome: Exclude<WriteOutcome, { kind: 'written' | 'writtenByOthers' }>,
  cluster: ClusterIdentity,
): Failure => {
  const target = fullName(mutation.target);
  switch (outcome.kind) {
    case 'changed': {
      if (outcome.object === undefined) return failedAt(step, `${target} is gone`);
      const now = changesOf(mutation, outcome.object).map(({ path, before }) => `${path} is ${JSON.stringify(before)}`);
      return failedAt(step, `somebody else changed ${target} meanwhile: ${now.join(', ')}; nothing was written`);
    }
    case 'altered':
      return failedAt(
        step,
        `${target} was accepted but stored differently (an admission webhook, or a field that the server does not know)`,
      );
    case 'refused':
      return failureOfError(step, outcome.error, cluster) ?? failedAt(step, outcome.error.message);
    case 'unknown':
      return failedAt(step, `nobody knows whether the write to ${target} took effect: ${outcome.error.message}`);
  }
};
