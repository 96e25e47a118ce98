import type { CniFacts } from '../policy/cni-facts.ts';
import type { NetworkState } from '../matrix/network-state.ts';
import { tableOf } from '../matrix/network-state.ts';
import { canConnect } from '../matrix/matrix.ts';
import { compareOpenPorts, isLoss, type ChangedPorts, type OpenPorts } from '../matrix/open-ports.ts';
import type { ReachTable } from '../matrix/reach-table.ts';
import type { TablePeer, TellApart } from '../matrix/table-peers.ts';
import { createAttribution, type Attribute } from './attribute.ts';
import { firstIsolated } from './first-isolated.ts';
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
  const pairs = [...changedPairs(tables(before, after), attribute), ...services.pairs];
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

/** Addresses are cut where either state cuts them, so that both tables have the same rows. */
const tables = (before: NetworkState, after: NetworkState): readonly [ReachTable, ReachTable] => [
  tableOf(before, classOfAddress(after)),
  tableOf(after, classOfAddress(before)),
];

const classOfAddress = ({ engine }: NetworkState): TellApart => {
  const classes = new Map<string, string>();
  for (const { id, peers } of engine.classes()) {
    for (const peer of peers) if (peer.kind === 'address') classes.set(peer.address, String(id));
  }
  return (address) => classes.get(address) ?? '';
};

const changedPairs = ([before, after]: readonly [ReachTable, ReachTable], attribute: Attribute): readonly KindOfPair[] => {
  const ids = [...new Set([...before.peers, ...after.peers].map(({ id }) => id))];
  const [old, now] = [byId(before), byId(after)];
  const compare = createComparison();
  const rows = new Map<string, KindOfPair[]>(ids.map((id) => [id, []]));
  for (const to of ids) {
    const server = { before: old.get(to), after: now.get(to) };
    const [oldColumn, newColumn] = [columnOf(before, server.before), columnOf(after, server.after)];
    for (const from of ids) {
      const client = { before: old.get(from), after: now.get(from) };
      const [portsThen, portsNow] = [portsIn(oldColumn, client.before, server.before), portsIn(newColumn, client.after, server.after)];
      const ports = compare(portsThen, portsNow);
      if (ports.length === 0) continue;
      const change = { from, to, ports, ...reasonOf(client, server, ports, attribute) };
      rows.get(from)?.push({ kind: portsThen.length === 0 ? 'added' : portsNow.length === 0 ? 'removed' : 'changed', change });
    }
  }
  return [...rows.values()].flat();
};

type MaybeEnd = { readonly before: TablePeer | undefined; readonly after: TablePeer | undefined };

const reasonOf = (
  client: MaybeEnd,
  server: MaybeEnd,
  ports: readonly ChangedPorts[],
  attribute: Attribute,
): Pick<PairChange, 'because' | 'endChanged'> => {
  if (isThere(client) && isThere(server)) return { because: attribute(client, server, ports).map(({ text }) => text), endChanged: false };
  const came = [client, server].flatMap(({ before, after }) => {
    if (before !== undefined && after !== undefined) return [];
    return [`${(before ?? after)?.id ?? ''} ${before === undefined ? 'added' : 'removed'}`];
  });
  return { because: [...new Set(came)], endChanged: true };
};

const isThere = (end: MaybeEnd): end is { readonly before: TablePeer; readonly after: TablePeer } =>
  end.before !== undefined && end.after !== undefined;

const byId = ({ peers }: ReachTable): ReadonlyMap<string, TablePeer> => new Map(peers.map((peer) => [peer.id, peer]));

type Column = ReadonlyMap<TablePeer, readonly OpenPorts[]>;

const columnOf = (table: ReachTable, server: TablePeer | undefined): Column =>
  server === undefined ? new Map() : new Map(table.column(server).map((ports, index) => [table.peers[index] ?? server, ports]));

const noPorts: readonly OpenPorts[] = [];

const portsIn = (column: Column, client: TablePeer | undefined, server: TablePeer | undefined): readonly OpenPorts[] => {
  if (client === undefined || server === undefined || !canConnect(client, server)) return noPorts;
  return column.get(client) ?? noPorts;
};

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
