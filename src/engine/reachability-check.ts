import type { Clock } from '../clock/clock.ts';
import type { Prober } from '../cluster/prober.ts';
import { judgeAnswer, judgePath, observePath, pathQuestion, type PathVerdict } from '../steps/path.ts';
import type { ReachabilityPhase } from '../steps/reachability-phase.ts';
import type { WatchedPath } from '../steps/watched-path.ts';
import type { Observation } from './observation.ts';

export interface ReachabilityRequest {
  readonly watched: WatchedPath;
  readonly phase: ReachabilityPhase;
  readonly observation: Observation;
  readonly clock: Clock;
  readonly prober: Prober | undefined;
  readonly signal: AbortSignal;
}

/** How long endpoints, proxies and policy enforcers may lag behind the API before a wrong answer counts. */
const lagMs = 10_000;
const intervalMs = 250;

/** What a client of the watched path finds now. What the phase promises is given a moment to come true. */
export const checkReachability = async (request: ReachabilityRequest): Promise<PathVerdict & { readonly probed: boolean }> => {
  const { phase, observation, clock, signal } = request;
  const deadline = clock.monotonicMs() + (phase === 'any' ? 0 : lagMs);
  for (;;) {
    const { version } = observation;
    const verdict = await look(request);
    const now = clock.monotonicMs();
    if (verdict.met || now >= deadline || signal.aborted) return verdict;
    await observation.next(version, Math.min(deadline, now + intervalMs), signal);
  }
};

const look = async ({
  watched,
  phase,
  observation,
  prober,
  signal,
}: ReachabilityRequest): Promise<PathVerdict & { readonly probed: boolean }> => {
  const observed = observePath(watched, observation);
  const question = prober === undefined ? undefined : pathQuestion(watched, observed);
  if (prober === undefined || question === undefined) return { ...judgePath(watched, phase, observed), probed: false };
  const answer = await prober.ask(question, signal);
  return { ...judgeAnswer(watched, phase, observePath(watched, observation), answer), probed: true };
};
