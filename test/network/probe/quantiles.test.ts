import { describe, expect, it } from 'vitest';
import { latencyQuantiles } from '../../../src/network/probe/quantiles.ts';

describe('latency quantiles', () => {
  it('are latencies that were measured', () => {
    expect(latencyQuantiles([7])).toEqual({ count: 1, p50: 7, p90: 7, max: 7 });
    expect(latencyQuantiles([30, 1, 2])).toEqual({ count: 3, p50: 2, p90: 30, max: 30 });
    expect(latencyQuantiles([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toEqual({ count: 10, p50: 5, p90: 9, max: 10 });
  });

  it('are not there without one', () => {
    expect(latencyQuantiles([])).toBeUndefined();
  });
});
