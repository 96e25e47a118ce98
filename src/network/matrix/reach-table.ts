import { doubtsAbout, type Doubt } from '../inventory/doubt.ts';
import type { NetworkPeer } from '../inventory/peers.ts';
import type { PolicyEngine, Reach } from '../policy/engine.ts';
import { doubtOpenPorts, eitherOf, mergeReaches, type OpenPorts } from './open-ports.ts';
import { tablePeersOf, type Member, type TablePeer, type TellApart } from './table-peers.ts';

/** Who reaches whom on what. Computed column by column, as it is asked for. */
export interface ReachTable {
  readonly peers: readonly TablePeer[];
  /** What each peer, in the order of `peers`, reaches of the server. A workload's own column is about two different pods of it. */
  column(server: TablePeer): readonly (readonly OpenPorts[])[];
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
  const merge = createMerger(engine);
  const effectOf = createDoubtLookup(doubts);
  return {
    peers,
    column(server) {
      const rows = server.members.map(({ peerClass }) => engine.reachRow(peerClass));
      return peers.map((client) => {
        const ports = merge(client, server, rows);
        const effect = effectOf(client, server);
        return effect === undefined ? ports : doubtOpenPorts(ports, effect);
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

/** The strongest doubt about a pair: a policy that may open as well as shut, or one that may only shut. */
const createDoubtLookup = (doubts: readonly Doubt[]) => {
  const known = new Map<string, Doubt['effect'] | undefined>();
  const about = (half: 'Ingress' | 'Egress', subject: TablePeer, other: TablePeer): Doubt['effect'] | undefined => {
    const [subjectPod, otherPod] = [subject.members[0]?.peer, other.members[0]?.peer];
    if (subjectPod === undefined || otherPod === undefined) return undefined;
    const key = `${half} ${subject.id} ${otherPod.kind}`;
    if (!known.has(key)) {
      const concerning = doubtsAbout(doubts, 'allowed', half, subjectPod, otherPod);
      known.set(key, concerning.some(({ effect }) => effect === 'both') ? 'both' : concerning[0]?.effect);
    }
    return known.get(key);
  };
  return (client: TablePeer, server: TablePeer): Doubt['effect'] | undefined => {
    if (doubts.length === 0) return undefined;
    const effects = [about('Egress', client, server), about('Ingress', server, client)];
    return effects.includes('both') ? 'both' : effects.find((effect) => effect !== undefined);
  };
};
