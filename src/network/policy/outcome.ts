/**
 * What may become of a connection at one port: a set, as bits, because a rule may match only perhaps. `open`: nothing has decided yet.
 * `passed`: a rule handed it on to the next tier.
 */
export const outcomes = { allowed: 1, denied: 2, open: 4, passed: 8 } as const;

/** Whether something matches: 0 no, 1 perhaps, 2 yes. */
export type Likelihood = 0 | 1 | 2;

/** A verdict: 0 denied, 1 depends, 2 allowed. */
export const verdicts = ['denied', 'depends', 'allowed'] as const;

const { allowed, denied, open, passed } = outcomes;

/** After one rule: it decides what is still open, if it matches. */
export const afterRule = (current: number, matches: number, action: number): number => {
  if ((current & open) === 0 || matches === 0) return current;
  return matches === 1 ? current | action : (current & ~open) | action;
};

/** After something that was evaluated for itself. */
export const afterDecision = (current: number, decision: number): number =>
  (current & open) === 0 ? current : (current & ~open) | decision;

/** Two of equal priority: where both match, either may decide; where one does, that one. */
export const eitherFirst = (a: number, b: number): number => ((a | b) & ~open) | (a & b & open);

/** A decision that may not concern the pod at all. */
export const ifAtAll = (decision: number): number => decision | open;

/** The next tier decides what was passed. */
export const afterTier = (current: number): number => ((current & passed) === 0 ? current : (current & ~passed) | open);

/** Isolated: allowed is what a rule allows, and nothing is left open. */
export const isolated = (matches: number): number => [denied, allowed | denied, allowed][matches] ?? denied;

/** What nothing decides is allowed, and so is what the last tier passed on. */
export const verdictOf = (current: number): number => {
  if (current === denied) return 0;
  return (current & denied) === 0 ? 2 : 1;
};

/** Both halves have to let it through. */
export const bothHalves = (egress: number, ingress: number): number => Math.min(egress, ingress);

/** Over either address family. */
export const eitherFamily = (a: number, b: number): number => (a === b ? a : 1);
