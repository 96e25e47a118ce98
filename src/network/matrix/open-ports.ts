import type { Protocol } from '../../kubernetes/pod.ts';
import type { Reach } from '../policy/engine.ts';
import { combineSteps, constantSteps, listSteps, rangeSteps, type PortSteps } from '../policy/port-steps.ts';

/** `mixed`: some pods of the two get through, others do not. */
export type OpenVerdict = 'allowed' | 'mixed' | 'depends';

/** Ports between two peers that are open, as far as they are. What no range covers is denied. */
export interface OpenPorts {
  readonly protocol: Protocol;
  /** First and last port, both included. */
  readonly from: number;
  readonly to: number;
  readonly verdict: OpenVerdict;
}

export type PortVerdict = OpenVerdict | 'denied';

/** A range whose verdict is another one than before. */
export interface ChangedPorts {
  readonly protocol: Protocol;
  readonly from: number;
  readonly to: number;
  readonly before: PortVerdict;
  readonly after: PortVerdict;
}

/** The worse, the lower. */
const ranks = ['denied', 'depends', 'mixed', 'allowed'] as const satisfies readonly PortVerdict[];

const rankOf = (verdict: PortVerdict): number => ranks.indexOf(verdict);
const verdictOf = (rank: number): PortVerdict => ranks[rank] ?? 'denied';

const denied = rankOf('denied');
const depends = rankOf('depends');
const mixed = rankOf('mixed');

const stepsOf = (ports: readonly OpenPorts[]): PortSteps =>
  ports.reduce(
    (steps, { protocol, from, to, verdict }) =>
      combineSteps(steps, rangeSteps(protocol, from, to, rankOf(verdict)), (a, b) => Math.max(a, b)),
    constantSteps(denied),
  );

const portsOf = (steps: PortSteps): readonly OpenPorts[] =>
  listSteps(steps).flatMap(({ protocol, from, to, value }): readonly OpenPorts[] => {
    const verdict = verdictOf(value);
    return verdict === 'denied' ? [] : [{ protocol, from, to, verdict }];
  });

/** What holds for two peers of several pods: open for all, for some, or not known for some. */
export const mergeReaches = (reaches: readonly Reach[]): readonly OpenPorts[] => {
  const [first, ...more] = reaches;
  if (first === undefined || more.length === 0) return first ?? [];
  return portsOf(more.map(stepsOf).reduce((a, b) => combineSteps(a, b, mergeRanks), stepsOf(first)));
};

/** When one of them holds, and nobody knows which. */
export const eitherOf = (one: Reach, other: Reach): Reach =>
  mergeReaches([one, other]).map(({ verdict, ...range }) => ({ ...range, verdict: verdict === 'allowed' ? verdict : 'depends' }));

const mergeRanks = (a: number, b: number): number => {
  if (a === b) return a;
  return a === depends || b === depends ? depends : mixed;
};

/** All ports of `before` or `after` whose verdict is not the same in the other. */
export const compareOpenPorts = (before: readonly OpenPorts[], after: readonly OpenPorts[]): readonly ChangedPorts[] => {
  const pairs = combineSteps(stepsOf(before), stepsOf(after), (a, b) => a * ranks.length + b);
  return listSteps(pairs).flatMap(({ protocol, from, to, value }): readonly ChangedPorts[] => {
    const change = { before: verdictOf(Math.floor(value / ranks.length)), after: verdictOf(value % ranks.length) };
    return change.before === change.after ? [] : [{ protocol, from, to, ...change }];
  });
};

export const isLoss = ({ before, after }: ChangedPorts): boolean => rankOf(after) < rankOf(before);

/** A part of the ports: those of one protocol, from one to another. */
export const cutOpenPorts = (
  ports: readonly OpenPorts[],
  wanted: { readonly protocol: Protocol; readonly from: number; readonly to: number },
): readonly OpenPorts[] =>
  ports.flatMap((range) => {
    const [from, to] = [Math.max(range.from, wanted.from), Math.min(range.to, wanted.to)];
    return range.protocol !== wanted.protocol || from > to ? [] : [{ ...range, from, to }];
  });

/** What is left of it when nobody knows what else may shut (or open) it. */
export const doubtOpenPorts = (ports: readonly OpenPorts[], effect: 'both' | 'shuts'): readonly OpenPorts[] =>
  effect === 'both' ? everyPort('depends') : ports.map((range) => ({ ...range, verdict: 'depends' as const }));

export const everyPort = (verdict: OpenVerdict): readonly OpenPorts[] =>
  (['TCP', 'UDP', 'SCTP'] as const).map((protocol) => ({ protocol, from: 1, to: 65_535, verdict }));
