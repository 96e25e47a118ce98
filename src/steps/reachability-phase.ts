/**
 * What a client of the Service is expected to find:
 *
 * - `open`: the Service answers;
 * - `window`: the path is open (policies let it through) but nobody is behind the Service: refused or unanswered. Pods of
 *   the new workload are no violation, for a run may go on half-way, after the selector moved;
 * - `newOnly`: the Service answers, and only the new workload's pods are behind it;
 * - `any`: recorded, not judged.
 */
export const reachabilityPhases = ['open', 'window', 'newOnly', 'any'] as const;
export type ReachabilityPhase = (typeof reachabilityPhases)[number];
