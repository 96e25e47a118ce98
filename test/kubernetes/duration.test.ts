import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/kubernetes/duration.ts';

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['1m1ms', 60_001],
    ['0', 0],
    ['0s', 0],
  ])('reads %s as %d ms', (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  it.each(['', '5', '5 s', '-5s', '1d', 'm', '1.2.3s', '5sec', '1h-5m'])('finds none in "%s"', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [312, '312 ms'],
    [999.6, '1 s'],
    [1000, '1 s'],
    [2350, '2.4 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [40_000, '40 s'],
    [59_600, '1 min'],
    [242_000, '4 min 2 s'],
    [3_599_600, '1 h'],
    [3_900_000, '1 h 5 min'],
    [86_399_000, '1 d'],
    [93_600_000, '1 d 2 h'],
  ])('says %d ms as %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });

  it('never says 60 of a unit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 9 }),
        (durationMs) => !/\b60 (s|min)\b|\b1000 ms|\b24 h/.test(formatDuration(durationMs)),
      ),
    );
  });
});
