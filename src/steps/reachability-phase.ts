/**
 * What a client of the Service is expected to find:
 *
 * - `open`: the Service answers;
 * - `window`: the path is open (policies let it through) but nobody is behind the Service: refused or unanswered;
 * - `newOnly`: the Service answers, and only the new workload's pods are behind it;
 * - `any`: recorded, not judged.
 */
export const reachabilityPhases = ['open', 'window', 'newOnly', 'any'] as const;
export type ReachabilityPhase = (typeof reachabilityPhases)[number];
