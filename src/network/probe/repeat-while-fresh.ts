import { delay, type Clock } from '../../clock/clock.ts';
import type { ProbeAnswer, ProbeQuestion, Prober } from '../../cluster/prober.ts';

/** By then a network plugin has programmed the rules of a new pod. */
const freshMs = 10_000;
const pauseMs = 500;
/** So many in a row that say the same are believed before. */
const agreeing = 3;

/**
 * A prober that does not conclude from the first answers of a new pod: network policies may not be programmed for it yet, so that it is let
 * through where it will be kept out, or kept out where it will be let through. While the pod is young an answer counts once three in a row
 * are of one kind; the last one is given. `startedAt` is on the monotonic clock.
 *
 * Source: Kubernetes, "Network Policies", "Pod lifecycle": a pod may start before the policies that select it are in force.
 */
export const repeatWhileFresh = (prober: Prober, clock: Clock, startedAt: number): Prober => ({
  async ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer> {
    let answer = await prober.ask(question, signal);
    for (let same = 1; same < agreeing && clock.monotonicMs() < startedAt + freshMs;) {
      await delay(clock, pauseMs, signal);
      const next = await prober.ask(question, signal);
      same = next.kind === answer.kind && next.kind !== 'unasked' ? same + 1 : 1;
      answer = next;
    }
    return answer;
  },
  close: () => prober.close?.(),
});
