import type { Expansion } from './expansion.ts';
import type { StepKind } from './step-kind.ts';

/** Every key that a step of a runbook may have. */
export const stepKinds: readonly StepKind<object, unknown>[] = [];

/** Every key that stands for a sequence of steps. */
export const expansions: readonly Expansion<object>[] = [];
