import type { Doubt } from '../inventory/doubt.ts';
import type { NetworkPeer } from '../inventory/peers.ts';
import { getOrAdd } from '../policy/distinctions.ts';
import type { PolicyEngine, Reach } from '../policy/engine.ts';
import { doubtOpenPorts, eitherOf, mergeReaches, type OpenPorts } from './open-ports.ts';
import { createEffectOnHalf, kindsOf, strongest, type PeerKind } from './peer-kinds.ts';
import { tablePeersOf, type Member, type TablePeer, type TellApart } from './table-peers.ts';

/** Who reaches whom on what. Computed column by column, as it is asked for. */
export interface ReachTable {
  readonly peers: readonly TablePeer[];
  readonly kinds: readonly PeerKind[];
  /** What each kind reaches of the one with the number, both in the order of `kinds`. One's own is about different pods. */
  column(server: number): readonly (readonly OpenPorts[])[];
}

export interface TableWorld {
  readonly engine: PolicyEngine;
  readonly workloads: readonly NetworkPeer[];
  readonly doubts: readonly Doubt[];
  /** Addresses of one class are told apart all the same where this says so. */
  readonly tellApart?: TellApart;
}

export const createReachTable = ({ engine, workloads, doubts, tellApart }: TableWorld): ReachTable => {
  const peers = tablePeersOf(engine, workloads, tellApart);
  const effectOnHalf = createEffectOnHalf(doubts);
  const kinds = kindsOf(peers, effectOnHalf);
  const merge = createMerger(engine);
  const doubted = new Map<string, readonly OpenPorts[]>();
  return {
    peers,
    kinds,
    column(number) {
      const server = kinds[number]?.[0];
      if (server === undefined) throw new Error(`no kind of peers has the number ${number}`);
      const rows = server.members.map(({ peerClass }) => engine.reachRow(peerClass));
      return kinds.map(([client]) => {
        const ports = merge(client, server, rows);
        const effect = strongest([effectOnHalf('Egress', client, server), effectOnHalf('Ingress', server, client)]);
        return effect === undefined ? ports : getOrAdd(doubted, `${effect} ${JSON.stringify(ports)}`, () => doubtOpenPorts(ports, effect));
      });
    },
  };
};

/** Equal pairs of classes have equal ports, as the same list: they are merged once. */
const createMerger = (engine: PolicyEngine) => {
  const merged = new Map<string, readonly OpenPorts[]>();
  return (client: TablePeer, server: TablePeer, rows: readonly Uint32Array[]): readonly OpenPorts[] => {
    const reaches = new Map<string, Reach>();
    for (const [index, row] of rows.entries()) {
      for (const member of client.members) {
        const number = row[member.peerClass.id] ?? 0;
        const { ports, onOwnNode } = engine.reachOf(number);
        const where = onOwnNode === undefined ? elsewhere : whereOf(member, server.members[index]);
        if (where.elsewhere) reaches.set(`${number}`, ports);
        if (where.onOneNode) reaches.set(`${number}n`, onOwnNode ?? ports);
        if (where.unknown) reaches.set(`${number}?`, onOwnNode === undefined ? ports : eitherOf(ports, onOwnNode));
      }
    }
    const key = reaches.size === 1 ? ([...reaches.keys()][0] ?? '') : [...reaches.keys()].toSorted().join();
    let ports = merged.get(key);
    if (ports === undefined) merged.set(key, (ports = mergeReaches([...reaches.values()])));
    return ports;
  };
};

interface Whereabouts {
  readonly onOneNode: boolean;
  readonly elsewhere: boolean;
  readonly unknown: boolean;
}

const elsewhere: Whereabouts = { onOneNode: false, elsewhere: true, unknown: false };

/** Whether there are pairs of their pods on one node, on two, and such of which that is not known. */
const whereOf = ({ nodes: clients }: Member, server: Member | undefined): Whereabouts => {
  const servers = server?.nodes ?? new Set();
  if (clients.size === 0 || servers.size === 0) return elsewhere;
  const known = [...clients].filter((node) => node !== undefined);
  return {
    onOneNode: known.some((node) => servers.has(node)),
    elsewhere: known.some((node) => [...servers].some((other) => other !== undefined && other !== node)),
    unknown: clients.has(undefined) || servers.has(undefined),
  };
};
