import { describe, expect, it } from 'vitest';
import type { Moment } from '../../src/clock/clock.ts';
import { OutageRecord } from '../../src/engine/outage.ts';

/** The wall clock may have been set. */
const at = (second: number, setBySeconds = 0): Moment => ({
  epochMs: Date.parse('2026-01-01T00:00:00Z') + (second + setBySeconds) * 1000,
  monotonicMs: second * 1000,
});

describe('OutageRecord', () => {
  it('counts from the last ready backend going to the first one coming', () => {
    const record = new OutageRecord();
    record.observe(at(0), 1);
    record.observe(at(10), 0);
    record.observe(at(12), 0);
    record.observe(at(15), 2);
    expect(record.result(at(60))).toEqual({
      totalMs: 5000,
      windows: [{ from: '2026-01-01T00:00:10.000Z', to: '2026-01-01T00:00:15.000Z' }],
    });
  });

  it('lasts as long as it lasted, also when somebody sets the clock meanwhile', () => {
    const record = new OutageRecord();
    record.observe(at(10), 0);
    record.observe(at(15, -3600), 1);
    expect(record.result(at(60, -3600))).toEqual({
      totalMs: 5000,
      windows: [{ from: '2026-01-01T00:00:10.000Z', to: '2025-12-31T23:00:15.000Z' }],
    });
  });

  it('goes on counting while nobody is behind the Service', () => {
    const record = new OutageRecord();
    record.observe(at(0), 0);
    expect(record.result(at(7))).toEqual({ totalMs: 7000, windows: [{ from: '2026-01-01T00:00:00.000Z', to: undefined }] });
  });

  it('adds up several windows', () => {
    const record = new OutageRecord();
    for (const [second, ready] of [
      [0, 1],
      [1, 0],
      [3, 1],
      [4, 0],
      [5, 1],
    ] as const)
      record.observe(at(second), ready);
    expect(record.result(at(9)).totalMs).toBe(3000);
  });

  it('is no outage when there was always somebody', () => {
    const record = new OutageRecord();
    record.observe(at(0), 1);
    record.observe(at(1), 2);
    expect(record.result(at(9))).toEqual({ totalMs: 0, windows: [] });
  });
});
