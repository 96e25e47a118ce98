import type { Protocol } from '../../kubernetes/pod.ts';

/**
 * A value for every port of every protocol, as steps: `values[i]` holds from `starts[i]` until the next start. The protocols' ports lie
 * one after the other on one line; equal neighbours are one step, so that equal functions are equal lists.
 */
export interface PortSteps {
  /** Ascending; the first is 0. */
  readonly starts: readonly number[];
  readonly values: readonly number[];
}

export const protocols = ['TCP', 'UDP', 'SCTP'] as const satisfies readonly Protocol[];

const portsOfProtocol = 65_536;
const lineLength = protocols.length * portsOfProtocol;

export const constantSteps = (value: number): PortSteps => ({ starts: [0], values: [value] });

/** `value` from one port to another, both included, and 0 elsewhere. Port 0, which nobody uses, goes with port 1. */
export const rangeSteps = (protocol: Protocol, from: number, to: number, value: number): PortSteps => {
  const base = protocols.indexOf(protocol) * portsOfProtocol;
  const first = base + (from <= 1 ? 0 : from);
  const next = base + Math.min(to, portsOfProtocol - 1) + 1;
  if (next <= first) return constantSteps(0);
  return {
    starts: [...(first === 0 ? [] : [0]), first, ...(next === lineLength ? [] : [next])],
    values: [...(first === 0 ? [] : [0]), value, ...(next === lineLength ? [] : [0])],
  };
};

export const valueAt = ({ starts, values }: PortSteps, protocol: Protocol, port: number): number => {
  const place = protocols.indexOf(protocol) * portsOfProtocol + port;
  return values[starts.findLastIndex((start) => start <= place)] ?? 0;
};

/** Port by port. */
export const combineSteps = (a: PortSteps, b: PortSteps, combine: (a: number, b: number) => number): PortSteps => {
  const starts: number[] = [];
  const values: number[] = [];
  let [indexA, indexB] = [0, 0];
  for (let place = 0; place < lineLength;) {
    const value = combine(a.values[indexA] ?? 0, b.values[indexB] ?? 0);
    if (values.at(-1) !== value) {
      starts.push(place);
      values.push(value);
    }
    const [nextA, nextB] = [a.starts[indexA + 1] ?? lineLength, b.starts[indexB + 1] ?? lineLength];
    place = Math.min(nextA, nextB);
    if (nextA === place) indexA++;
    if (nextB === place) indexB++;
  }
  return { starts, values };
};

export interface PortStep {
  readonly protocol: Protocol;
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** Cut where a protocol ends; ports from 1. */
export const listSteps = ({ starts, values }: PortSteps): readonly PortStep[] =>
  protocols.flatMap((protocol, index) => {
    const base = index * portsOfProtocol;
    return starts.flatMap((start, step) => {
      const from = Math.max(start - base, 1);
      const to = Math.min((starts[step + 1] ?? lineLength) - base, portsOfProtocol) - 1;
      return to < from ? [] : [{ protocol, from, to, value: values[step] ?? 0 }];
    });
  });
