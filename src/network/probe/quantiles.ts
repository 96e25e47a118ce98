/** Of the latencies of several answers, in milliseconds. */
export interface LatencyQuantiles {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
}

/** By the nearest-rank method: each quantile is a latency that was measured. Undefined for none. */
export const latencyQuantiles = (latenciesMs: readonly number[]): LatencyQuantiles | undefined => {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined) return undefined;
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? max;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), max };
};
