import { doubtsAbout, type Doubt } from '../inventory/doubt.ts';
import type { NetworkPeer } from '../inventory/peers.ts';
import type { PolicyEngine, Reach } from '../policy/engine.ts';
import type { PolicyPeer } from '../policy/peer.ts';
import { doubtOpenPorts, mergeReaches, type OpenPorts } from './open-ports.ts';
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
        if (onOwnNode !== undefined && isOnOneNode(member, server.members[index])) reaches.set(`${number}n`, onOwnNode);
        else reaches.set(`${number}`, ports);
      }
    }
    const key = reaches.size === 1 ? ([...reaches.keys()][0] ?? '') : [...reaches.keys()].toSorted().join();
    let ports = merged.get(key);
    if (ports === undefined) merged.set(key, (ports = mergeReaches([...reaches.values()])));
    return ports;
  };
};

const isOnOneNode = (client: Member, server: Member | undefined): boolean =>
  server !== undefined && nodesOf(client.peer).some((node) => nodesOf(server.peer).includes(node));

const nodesOf = (peer: PolicyPeer): readonly string[] => (peer.kind === 'pod' ? (peer.nodeName === undefined ? [] : [peer.nodeName]) : []);

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
