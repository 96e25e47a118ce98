import type { StepsTable } from './steps-table.ts';
import type { ClassReach, PortRange, Reach } from './engine.ts';
import { verdicts } from './outcome.ts';
import { listSteps } from './port-steps.ts';

/** Ports between two classes as numbers: below `pairsFrom` those of `verdicts`, from there on with the case of the own node beside. */
export interface ReachTable {
  readonly numberOf: (ports: number, onOwnNode: number) => number;
  readonly at: (number: number) => ClassReach;
  readonly portsOf: (verdictSteps: number) => Reach;
}

const pairsFrom = 2 ** 24;

export const createReachTable = (table: StepsTable): ReachTable => {
  const lists = new Map<number, Reach>();
  const alone = new Map<number, ClassReach>();
  const pairs: ClassReach[] = [];
  const pairNumbers = new Map<string, number>();

  const portsOf = (steps: number): Reach => {
    const known = lists.get(steps);
    if (known !== undefined) return known;
    const list = listSteps(table.at(steps)).flatMap(({ protocol, from, to, value }): PortRange[] => {
      const verdict = verdicts[value];
      return verdict === undefined || verdict === 'denied' ? [] : [{ protocol, from, to, verdict }];
    });
    lists.set(steps, list);
    return list;
  };

  return {
    portsOf,
    numberOf: (ports, onOwnNode) => {
      if (ports === onOwnNode) return ports;
      const key = `${ports} ${onOwnNode}`;
      const known = pairNumbers.get(key);
      if (known !== undefined) return known;
      const number = pairsFrom + pairs.push({ ports: portsOf(ports), onOwnNode: portsOf(onOwnNode) }) - 1;
      pairNumbers.set(key, number);
      return number;
    },
    at: (number) => {
      const pair = number < pairsFrom ? (alone.get(number) ?? { ports: portsOf(number) }) : pairs[number - pairsFrom];
      if (pair === undefined) throw new Error(`no reach has the number ${number}`);
      if (number < pairsFrom) alone.set(number, pair);
      return pair;
    },
  };
};
