import { describe, expect, it } from 'vitest';
import { humanDuration } from '../../../src/twin-server/table/human-duration.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

describe('humanDuration', () => {
  it.each([
    [-2 * second, '<invalid>'],
    [-1999, '0s'],
    [999, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [9 * minute + 59 * second, '9m59s'],
    [10 * minute + 59 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [47 * hour + 59 * minute, '47h'],
    [2 * day, '2d'],
    [7 * day + 23 * hour, '7d23h'],
    [8 * day + 23 * hour, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [8 * 365 * day - hour, '7y364d'],
    [8 * 365 * day, '8y'],
  ])('shows %d ms as %s', (durationMs, shown) => {
    expect(humanDuration(durationMs)).toBe(shown);
  });
});
