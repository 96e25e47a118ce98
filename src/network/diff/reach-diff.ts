import type { CniFacts } from '../policy/cni-facts.ts';
import type { NetworkState } from '../matrix/network-state.ts';
import { tableOf } from '../matrix/network-state.ts';
import { compareOpenPorts, isLoss, type ChangedPorts, type OpenPorts } from '../matrix/open-ports.ts';
import type { ReachTable } from '../matrix/reach-table.ts';
import { canConnect, type TablePeer, type TellApart } from '../matrix/table-peers.ts';
import { createAttribution, type Attribute, type ChangedEnd } from './attribute.ts';
import { firstIsolated } from './first-isolated.ts';
import type { ObjectChange } from './object-change.ts';
import { policyChanges } from './policy-changes.ts';
import { compareServices } from './service-diff.ts';
import { namespaceChanges, workloadChanges } from './workload-changes.ts';

/** What a change of objects does to whom. Plain JSON: `-o json` prints it as it is. */
export interface ReachDiff {
  /** Pairs that had no open port before. */
  readonly added: readonly PairChange[];
  /** Pairs that have none any more. */
  readonly removed: readonly PairChange[];
  /** Pairs with open ports before and after, but not the same. */
  readonly changed: readonly PairChange[];
  /** What is not as it was, with or without effect. */
  readonly changes: readonly Change[];
  /** What no verdict takes into account. */
  readonly dependsOn: readonly string[];
}

export interface PairChange {
  readonly from: string;
  /** A workload or a range of addresses; or a Service, `llm-serving/clef-serve[Service]`, by the ports that are dialled. */
  readonly to: string;
  /** Only those whose verdict changed. */
  readonly ports: readonly ChangedPorts[];
  /** The changes that are behind it, as `text` of `changes`. */
  readonly because: readonly string[];
  /** An end itself came or went: nobody shut it out. */
  readonly endChanged: boolean;
}

export interface Change {
  readonly text: string;
  /** `NEW/rule.yaml:19`; of what was removed, where it was. */
  readonly source?: string;
  readonly hasEffect: boolean;
  /** For a policy that is the first to speak for them: `poimen/poimen-memory[Deployment] for egress`. */
  readonly firstFor: readonly string[];
}

/** Both states have to know the same addresses outside. Pure. */
export const compareStates = (before: NetworkState, after: NetworkState, cni?: CniFacts): ReachDiff => {
  const changes = [
    ...policyChanges(before.inventory, after.inventory),
    ...workloadChanges(before.inventory, after.inventory),
    ...namespaceChanges(before.inventory, after.inventory),
  ];
  const attribute = createAttribution({ before, after, changes, ...(cni === undefined ? {} : { cni }) });
  const services = compareServices(before, after);
  const pairs = [...changedPairs(tables(before, after, changes), attribute), ...services.pairs];
  const effective = new Set(pairs.flatMap(({ change: { because } }) => because));
  const of = (kind: PairKind): readonly PairChange[] => pairs.filter((pair) => pair.kind === kind).map(({ change }) => change);
  return {
    added: of('added'),
    removed: of('removed'),
    changed: of('changed'),
    changes: [
      ...changes.map(({ text, source, effect }) => ({
        text,
        ...(source === undefined ? {} : { source }),
        hasEffect: effective.has(text),
        firstFor: effect.kind === 'policy' && effect.mayIsolate ? firstIsolated(effect.policy, before, after) : [],
      })),
      ...services.changes.map((change) => ({ ...change, hasEffect: effective.has(change.text), firstFor: [] })),
    ],
    dependsOn: [...new Set([...before.inventory.doubts, ...after.inventory.doubts].map(({ on }) => on))],
  };
};

type PairKind = 'added' | 'removed' | 'changed';

export interface KindOfPair {
  readonly kind: PairKind;
  readonly change: PairChange;
}

/**
 * Addresses are cut where either state cuts them, so that both tables have the same rows. Bare pods are gathered that are there before and
 * after, and that no change names.
 */
const tables = (before: NetworkState, after: NetworkState, changes: readonly ObjectChange[]): readonly [ReachTable, ReachTable] => {
  const apart = new Set(changes.flatMap(({ effect }) => ('id' in effect ? [effect.id] : [])));
  return [tableOf(before, apart, classOfAddress(after)), tableOf(after, apart, classOfAddress(before))];
};

const classOfAddress = ({ engine }: NetworkState): TellApart => {
  const classes = new Map<string, string>();
  for (const { id, peers } of engine.classes()) {
    for (const peer of peers) if (peer.kind === 'address') classes.set(peer.address, String(id));
  }
  return (address) => classes.get(address) ?? '';
};

/** In the order of the peers, by `from`, then by `to`. Works by kinds of peers: of most pairs of kinds nothing has changed. */
const changedPairs = ([before, after]: readonly [ReachTable, ReachTable], attribute: Attribute): readonly KindOfPair[] => {
  const kinds = changeKindsOf(before, after);
  const compare = createComparison();
  const found: { readonly from: MaybeEnd; readonly to: MaybeEnd; readonly pair: KindOfPair }[] = [];
  for (const server of kinds) {
    const columns = { before: columnOf(before, server.before), after: columnOf(after, server.after) };
    const collect = (from: MaybeEnd, to: MaybeEnd, portsThen: readonly OpenPorts[], portsNow: readonly OpenPorts[]): void => {
      const ports = compare(portsThen, portsNow);
      if (ports.length === 0) return;
      const change = { from: from.id, to: to.id, ports, ...reasonOf(from, to, ports, attribute) };
      found.push({ from, to, pair: { kind: portsThen.length === 0 ? 'added' : portsNow.length === 0 ? 'removed' : 'changed', change } });
    };
    for (const client of kinds) {
      if (isOutside(client) && isOutside(server)) continue;
      const [portsThen, portsNow] = [portsIn(columns.before, client.before), portsIn(columns.after, client.after)];
      if (compare(portsThen, portsNow).length === 0) continue;
      for (const from of client.ends) for (const to of server.ends) if (from !== to) collect(from, to, portsThen, portsNow);
    }
    if (isOutside(server)) continue;
    for (const end of server.ends)
      collect(end, end, ownPorts(columns.before, server.before, end.before), ownPorts(columns.after, server.after, end.after));
  }
  return found.toSorted((a, b) => a.from.place - b.from.place || a.to.place - b.to.place).map(({ pair }) => pair);
};

/** A peer, as it was and as it is; absent: it was or is not there. */
interface MaybeEnd {
  readonly id: string;
  readonly place: number;
  readonly before: TablePeer | undefined;
  readonly after: TablePeer | undefined;
}

/** Peers of one kind before and of one after; absent: they were or are not there. */
interface ChangeKind {
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly ends: readonly [MaybeEnd, ...MaybeEnd[]];
}

const changeKindsOf = (before: ReachTable, after: ReachTable): readonly ChangeKind[] => {
  const [old, now] = [byId(before.peers), byId(after.peers)];
  const [oldKinds, newKinds] = [kindNumbers(before), kindNumbers(after)];
  const kinds = new Map<string, Omit<ChangeKind, 'ends'> & { readonly ends: [MaybeEnd, ...MaybeEnd[]] }>();
  for (const [place, id] of [...new Set([...old.keys(), ...now.keys()])].entries()) {
    const end: MaybeEnd = { id, place, before: old.get(id), after: now.get(id) };
    const kind = { before: oldKinds.get(id), after: newKinds.get(id) };
    const key = `${kind.before} ${kind.after}`;
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, { ...kind, ends: [end] });
    else known.ends.push(end);
  }
  return [...kinds.values()];
};

const byId = (peers: readonly TablePeer[]): ReadonlyMap<string, TablePeer> => new Map(peers.map((peer) => [peer.id, peer]));

const kindNumbers = ({ kinds }: ReachTable): ReadonlyMap<string, number> =>
  new Map(kinds.flatMap((peers, number) => peers.map(({ id }) => [id, number] as const)));

const isOutside = ({ ends: [{ before, after }] }: ChangeKind): boolean => (before ?? after)?.workload === undefined;

const reasonOf = (
  client: MaybeEnd,
  server: MaybeEnd,
  ports: readonly ChangedPorts[],
  attribute: Attribute,
): Pick<PairChange, 'because' | 'endChanged'> => {
  if (isThere(client) && isThere(server)) return { because: attribute(client, server, ports).map(({ text }) => text), endChanged: false };
  const came = [client, server].flatMap(({ id, before, after }) =>
    before !== undefined && after !== undefined ? [] : [`${id} ${before === undefined ? 'added' : 'removed'}`],
  );
  return { because: [...new Set(came)], endChanged: true };
};

const isThere = (end: MaybeEnd): end is MaybeEnd & ChangedEnd => end.before !== undefined && end.after !== undefined;

/** By number of the client's kind. */
type Column = readonly (readonly OpenPorts[])[];

const columnOf = (table: ReachTable, server: number | undefined): Column => (server === undefined ? [] : table.column(server));

const noPorts: readonly OpenPorts[] = [];

const portsIn = (column: Column, client: number | undefined): readonly OpenPorts[] =>
  client === undefined ? noPorts : (column[client] ?? noPorts);

/** What the pods of one workload reach of each other. */
const ownPorts = (column: Column, kind: number | undefined, peer: TablePeer | undefined): readonly OpenPorts[] =>
  peer === undefined || !canConnect(peer, peer) ? noPorts : portsIn(column, kind);

/** Lists are shared by all pairs of equal classes: two of them are compared once. */
const createComparison = (): ((before: readonly OpenPorts[], after: readonly OpenPorts[]) => readonly ChangedPorts[]) => {
  const known = new Map<readonly OpenPorts[], Map<readonly OpenPorts[], readonly ChangedPorts[]>>();
  return (before, after) => {
    const row = known.get(before) ?? new Map<readonly OpenPorts[], readonly ChangedPorts[]>();
    known.set(before, row);
    const found = row.get(after) ?? compareOpenPorts(before, after);
    row.set(after, found);
    return found;
  };
};

/** Whether somebody lost a port who is there before and after: `unknown` when it only may be. */
export const lossOf = ({ removed, changed }: ReachDiff): 'lost' | 'unknown' | 'none' => {
  const losses = [...removed, ...changed].filter(({ endChanged }) => !endChanged).flatMap(({ ports }) => ports.filter(isLoss));
  if (losses.some(({ after }) => after === 'denied' || after === 'mixed')) return 'lost';
  return losses.length > 0 ? 'unknown' : 'none';
};
