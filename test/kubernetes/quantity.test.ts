import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addQuantities, formatQuantity, MalformedQuantityError, parseQuantity } from '../../src/kubernetes/quantity.ts';

describe('parseQuantity', () => {
  it.each([
    ['0', 0],
    ['2', 2],
    [2, 2],
    ['500m', 0.5],
    ['700m', 0.7],
    ['1.1m', 0.0011],
    ['100n', 1e-7],
    ['3u', 3e-6],
    ['1k', 1000],
    ['1Ki', 1024],
    ['64Gi', 64 * 2 ** 30],
    ['0.5Gi', 2 ** 29],
    ['.5', 0.5],
    ['5.', 5],
    ['1E', 1e18],
    ['1E3', 1000],
    ['1e-3', 0.001],
    ['12e6', 12e6],
    ['-1', -1],
    ['+1', 1],
  ])('reads %s as %d', (text, value) => {
    expect(parseQuantity(text)).toBe(value);
  });

  it.each(['', ' 1', '1 Gi', '1gi', '1K', '1Mb', 'abc', '1.2.3', 'e3', '--1', '1Kim'])('refuses "%s" instead of guessing', (text) => {
    expect(() => parseQuantity(text)).toThrow(MalformedQuantityError);
  });
});

describe('formatQuantity', () => {
  it.each([
    [0, '0'],
    [1, '1'],
    [1000, '1000'],
    [0.5, '500m'],
    [64 * 2 ** 30, '64Gi'],
    [1536 * 2 ** 20, '1536Mi'],
    [1e-7, '100n'],
    [0.0000000001, '1n'],
  ])('writes %d as %s', (value, text) => {
    expect(formatQuantity(value)).toBe(text);
  });

  it('writes what is read back as the same amount', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 0 }),
          fc.integer({ min: 1, max: 1_000_000 }).map((milli) => milli / 1000),
        ),
        (value) => parseQuantity(formatQuantity(value)) === value,
      ),
    );
  });
});

describe('addQuantities', () => {
  it('adds tenths of cores to what a person adds', () => {
    expect(addQuantities(addQuantities(0.1, 0.2), 0.3)).toBe(0.6);
  });

  it('adds millis exactly, in any order', () => {
    const millis = fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(
        millis,
        (all) => all.map((milli) => parseQuantity(`${milli}m`)).reduce(addQuantities, 0) === all.reduce((a, b) => a + b, 0) / 1000,
      ),
    );
  });
});
