import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareOpenPorts, cutOpenPorts, isLoss, mergeReaches, type OpenPorts } from '../../../src/network/matrix/open-ports.ts';

const tcp = (from: number, to: number, verdict: OpenPorts['verdict'] = 'allowed'): OpenPorts => ({ protocol: 'TCP', from, to, verdict });

/** Ranges without overlap, in order, as an engine gives them. */
const reach = fc
  .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 8 })
  .chain((cuts) =>
    fc.tuple(
      fc.constant(cuts.toSorted((a, b) => a - b)),
      fc.array(fc.constantFrom('allowed' as const, 'depends' as const), { minLength: 8, maxLength: 8 }),
    ),
  )
  .map(([cuts, verdicts]) =>
    cuts.flatMap((from, index) => {
      const next = cuts[index + 1];
      return index % 2 === 1 || next === undefined
        ? []
        : [{ protocol: 'TCP' as const, from, to: next - 1, verdict: verdicts[index] ?? 'allowed' }];
    }),
  );

const verdictAt = (ports: readonly OpenPorts[], port: number): string =>
  ports.find(({ from, to }) => from <= port && port <= to)?.verdict ?? 'denied';

describe('mergeReaches', () => {
  it('says open for all, for some, or not known for some', () => {
    expect(
      mergeReaches([[tcp(1, 10)], [tcp(5, 20)]].map((ports) => ports.map((port) => ({ ...port, verdict: 'allowed' as const })))),
    ).toEqual([tcp(1, 4, 'mixed'), tcp(5, 10), tcp(11, 20, 'mixed')]);
    expect(mergeReaches([[], [{ protocol: 'TCP', from: 1, to: 2, verdict: 'depends' }]])).toEqual([tcp(1, 2, 'depends')]);
    expect(mergeReaches([])).toEqual([]);
  });

  it('says of each port what holds of it', () => {
    fc.assert(
      fc.property(fc.array(reach, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 31 }), (reaches, port) => {
        const verdicts = new Set(reaches.map((ports) => verdictAt(ports, port)));
        const [only] = verdicts;
        const expected = verdicts.size === 1 ? only : verdicts.has('depends') ? 'depends' : 'mixed';
        expect(verdictAt(mergeReaches(reaches), port)).toBe(expected);
      }),
    );
  });
});

describe('compareOpenPorts', () => {
  it('finds exactly the ports whose verdict is another one', () => {
    fc.assert(
      fc.property(reach, reach, fc.integer({ min: 1, max: 31 }), (before, after, port) => {
        const change = compareOpenPorts(before, after).find(({ from, to }) => from <= port && port <= to);
        const [then, now] = [verdictAt(before, port), verdictAt(after, port)];
        expect(change === undefined ? undefined : [change.before, change.after]).toEqual(then === now ? undefined : [then, now]);
      }),
    );
  });

  it('calls a step down a loss: allowed, mixed, depends, denied', () => {
    const [loss, gain] = [compareOpenPorts([tcp(1, 1)], [tcp(1, 1, 'mixed')]), compareOpenPorts([], [tcp(1, 1, 'depends')])].map(
      ([change]) => change,
    );
    expect([loss, gain].map((change) => change !== undefined && isLoss(change))).toEqual([true, false]);
  });
});

describe('cutOpenPorts', () => {
  it('keeps the part that is asked for', () => {
    expect(cutOpenPorts([tcp(1, 79), tcp(80, 90, 'depends')], { protocol: 'TCP', from: 79, to: 80 })).toEqual([
      tcp(79, 79),
      tcp(80, 80, 'depends'),
    ]);
    expect(cutOpenPorts([tcp(1, 79)], { protocol: 'UDP', from: 1, to: 79 })).toEqual([]);
  });
});
