import type { PairChange, ReachDiff } from '../../network/diff/reach-diff.ts';
import { isLoss, type ChangedPorts } from '../../network/matrix/open-ports.ts';
import { rangesText, verdictWords } from './ports-text.ts';

/** What one change (or several together) did. */
export interface DiffGroup {
  readonly because: readonly string[];
  readonly effects: readonly Effect[];
}

/** Pairs that gained or lost the same ports. */
export interface Effect {
  readonly lost: boolean;
  /** `TCP 8080`, `TCP 8080 (depends now)` */
  readonly ports: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The diff for people: by what is behind it, and equal pairs together. */
export const groupDiff = ({ removed, changed, added }: ReachDiff): readonly DiffGroup[] => {
  const pairs = [...removed, ...changed, ...added];
  return [...Map.groupBy(pairs, ({ because }) => because.join('\n')).values()].map((group) => ({
    because: group[0]?.because ?? [],
    effects: [true, false].flatMap((lost) => effectsOf(group, lost)),
  }));
};

const effectsOf = (pairs: readonly PairChange[], lost: boolean): readonly Effect[] => {
  const rows = pairs.flatMap(({ from, to, ports }) => {
    const own = ports.filter((range) => isLoss(range) === lost);
    return own.length === 0 ? [] : [{ from, to, ports: portsText(own) }];
  });
  return [...Map.groupBy(rows, ({ ports }) => ports)].flatMap(([ports, own]) => {
    const byClient = Map.groupBy(own, ({ from }) => from);
    const bySet = Map.groupBy([...byClient], ([, row]) => row.map(({ to }) => to).join('\n'));
    return [...bySet.values()].map((clients): Effect => ({
      lost,
      ports,
      from: clients.map(([from]) => from),
      to: clients[0]?.[1].map(({ to }) => to) ?? [],
    }));
  });
};

const portsText = (ports: readonly ChangedPorts[]): string =>
  [...Map.groupBy(ports, ({ before, after }) => `${before} ${after}`).values()]
    .map((own) => {
      const [first] = own;
      if (first === undefined) return '';
      const plain = isLoss(first)
        ? first.before === 'allowed' && first.after === 'denied'
        : first.before === 'denied' && first.after === 'allowed';
      return `${rangesText(own)}${plain ? '' : ` (${verdictWords[first.before]} before, ${verdictWords[first.after]} now)`}`;
    })
    .join('; ');
