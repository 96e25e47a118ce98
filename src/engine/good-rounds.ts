import type { ProbeAnswer } from '../cluster/prober.ts';
import { formatDuration } from '../kubernetes/duration.ts';
import { latencyQuantiles } from '../network/probe/quantiles.ts';
import type { Probe } from '../steps/step-kind.ts';
import type { ProbeEvidence } from './event.ts';

/** Good answers in a row: how many, for how long, how quick. */
export class GoodRounds {
  private rounds = 0;
  private firstMs = 0;
  private lastMs = 0;
  private latenciesMs: number[] = [];

  add(round: readonly ProbeAnswer[], nowMs: number): void {
    if (this.rounds === 0) this.firstMs = nowMs;
    this.lastMs = nowMs;
    this.rounds++;
    this.latenciesMs.push(...round.flatMap((answer) => (answer.kind === 'answered' ? [answer.latencyMs] : [])));
  }

  reset(): void {
    this.rounds = 0;
    this.latenciesMs = [];
  }

  suffice({ consecutive, windowMs }: Probe): boolean {
    return this.rounds >= consecutive && this.spanMs >= windowMs;
  }

  missing({ consecutive, windowMs }: Probe): string {
    const { rounds } = this;
    return rounds < consecutive
      ? `${rounds} of ${consecutive} good answers in a row`
      : `good answers for ${formatDuration(this.spanMs)} of ${formatDuration(windowMs)}`;
  }

  evidence(): ProbeEvidence {
    const latencyMs = latencyQuantiles(this.latenciesMs) ?? { count: 0, p50: 0, p90: 0, max: 0 };
    return { rounds: this.rounds, spanMs: Math.round(this.spanMs), latencyMs };
  }

  private get spanMs(): number {
    return this.rounds === 0 ? 0 : this.lastMs - this.firstMs;
  }
}

/** `3 good answers in a row over 0.5s (p50 2 ms, p90 3 ms, max 3 ms)`. */
export const probeWords = ({ rounds, spanMs, latencyMs: { count, p50, p90, max } }: ProbeEvidence): string => {
  const latency = count > 1 ? ` (p50 ${p50} ms, p90 ${p90} ms, max ${max} ms)` : ` (${max} ms)`;
  return `${rounds === 1 ? 'a good answer' : `${rounds} good answers in a row over ${formatDuration(spanMs)}`}${count === 0 ? '' : latency}`;
};
