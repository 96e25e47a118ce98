import type { Blocker } from '../steps/step-kind.ts';
import type { Style } from '../terminal/style.ts';

/** All of them, each with what to do about it. */
export const renderBlockers = (blockers: readonly Blocker[], style: Style): readonly string[] =>
  blockers.flatMap((blocker) => [
    `  ${style.bad('✖')} ${blocker.reason} ${style.faint(`(${blocker.code})`)}`,
    ...blocker.nextSteps.map((step) => `      ${style.strong('next:')} ${step.replaceAll('\n', '\n            ')}`),
  ]);
