import { blocker } from '../blockers.ts';
import type { Blocker } from '../step-kind.ts';

/** What a check has to say: a reason not to start, or something worth knowing. */
export type Finding = { readonly kind: 'blocker'; readonly blocker: Blocker } | { readonly kind: 'warning'; readonly message: string };

export const blocks = (code: string, reason: string, ...nextSteps: readonly string[]): Finding => ({
  kind: 'blocker',
  blocker: blocker(code, reason, ...nextSteps),
});

export const asFinding = (found: Blocker): Finding => ({ kind: 'blocker', blocker: found });

export const warns = (message: string): Finding => ({ kind: 'warning', message });
