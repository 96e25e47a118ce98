import { answers } from './answers.ts';
import { cutover } from './cutover.ts';
import type { Expansion } from './expansion.ts';
import { preflight } from './preflight/preflight.ts';
import { reachability } from './reachability.ts';
import { scale } from './scale.ts';
import type { StepKind } from './step-kind.ts';
import { switchSelector } from './switch-selector.ts';
import { waitEndpoints } from './wait-endpoints.ts';
import { waitGone } from './wait-gone.ts';
import { waitReady } from './wait-ready.ts';

/** Every key that a step of a runbook may have. */
export const stepKinds: readonly StepKind<object, unknown>[] = [
  preflight,
  scale,
  waitGone,
  waitReady,
  answers,
  switchSelector,
  waitEndpoints,
  reachability,
];

/** Every key that stands for a sequence of steps. */
export const expansions: readonly Expansion<object>[] = [cutover];
