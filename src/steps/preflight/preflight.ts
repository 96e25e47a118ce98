import { shortName } from '../../kubernetes/reference.ts';
import type { StepKind } from '../step-kind.ts';
import { preflightInput, type PreflightRaw } from './input.ts';

/** Looks for everything that would make a hand-over fail half-way, and reports all of it at once. Writes nothing. */
export const preflight: StepKind<PreflightRaw, undefined> = {
  name: 'preflight',
  summary: 'Looks for everything that would make a hand-over fail half-way. Writes nothing.',
  input: preflightInput,
  defaultDeadlineMs: 60_000,

  title: ({ service, from, to }) => `check that ${shortName(service)} can be handed over from ${shortName(from)} to ${shortName(to)}`,
  access: () => ({ reads: [], writes: [] }),
  observe: () => undefined,
  plan: () => ({ kind: 'satisfied' }),
  settled: () => ({ done: true }),
  undo: () => ({ kind: 'nothing' }),
};
