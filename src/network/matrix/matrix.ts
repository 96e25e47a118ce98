import type { Protocol } from '../../kubernetes/pod.ts';
import { getOrAdd } from '../policy/distinctions.ts';
import { groupConnections, type ConnectionGroup } from './group-connections.ts';
import { cutOpenPorts, type OpenPorts } from './open-ports.ts';
import type { ReachTable } from './reach-table.ts';
import { isOneAtMost, type TablePeer } from './table-peers.ts';

/** Who reaches whom, on what. */
export interface Matrix {
  /** Workloads, then ranges of addresses outside, cut where policies tell them apart. */
  readonly peers: readonly MatrixPeer[];
  /** Equal rows are one. `connectionsOf` has the pairs. */
  readonly groups: readonly ConnectionGroup[];
  /** What no verdict takes into account: `CiliumNetworkPolicy llm-serving/clef, not evaluated`. */
  readonly dependsOn: readonly string[];
}

export interface MatrixPeer {
  /** `llm-serving/clef-serve[Deployment]`, `203.0.113.0-203.0.113.255` */
  readonly id: string;
  /** Empty for addresses. */
  readonly namespace: string;
  readonly name: string;
  /** `Addresses` for a range outside. */
  readonly kind: string;
  /** How many there are; absent where that is not known. */
  readonly pods?: number;
  /** No pod of it is there: it is judged by its template. */
  readonly templateOnly: boolean;
}

export interface Connection {
  readonly from: string;
  readonly to: string;
  readonly ports: readonly OpenPorts[];
}

/** On the pods: after a Service's translation. */
export interface PortFilter {
  readonly protocol: Protocol;
  readonly from: number;
  readonly to: number;
}

export const matrixOf = (table: ReachTable, dependsOn: readonly string[], filter?: PortFilter): Matrix => ({
  peers: table.peers.map(matrixPeer),
  groups: groupConnections(table, createCut(filter)),
  dependsOn,
});

/**
 * Pair by pair, in the order of `peers`, by `from`, then by `to`: as they are asked for, there may be millions. A pair that is not there is
 * denied on every port. A workload's connections to itself are those among its pods: one of a single pod has none.
 */
export function* connectionsOf({ peers, groups }: Pick<Matrix, 'peers' | 'groups'>): Generator<Connection> {
  const places = new Map(peers.map(({ id }, place) => [id, place]));
  const rowOf = new Map(groups.flatMap((group) => group.from.map((id) => [id, group] as const)));
  const servers = new Map<ConnectionGroup, readonly Omit<Connection, 'from'>[]>();
  const serversOf = ({ to }: ConnectionGroup): readonly Omit<Connection, 'from'>[] =>
    to
      .flatMap(({ peers: ids, ports }) => ids.map((id) => ({ to: id, ports })))
      .toSorted((a, b) => (places.get(a.to) ?? 0) - (places.get(b.to) ?? 0));
  for (const { id: from, kind, pods } of peers) {
    const group = rowOf.get(from);
    if (group === undefined) continue;
    const isSingle = kind !== addresses && isOneAtMost(pods);
    for (const { to, ports } of getOrAdd(servers, group, () => serversOf(group))) if (to !== from || !isSingle) yield { from, to, ports };
  }
}

/** Cuts equal lists once, and to one list. */
const createCut = (filter: PortFilter | undefined): ((ports: readonly OpenPorts[]) => readonly OpenPorts[]) => {
  const known = new Map<readonly OpenPorts[], readonly OpenPorts[]>();
  return (ports) => {
    if (filter === undefined) return ports;
    const cut = known.get(ports) ?? cutOpenPorts(ports, filter);
    known.set(ports, cut);
    return cut;
  };
};

const addresses = 'Addresses';

const matrixPeer = ({ id, workload }: TablePeer): MatrixPeer => {
  if (workload === undefined) return { id, namespace: '', name: id, kind: addresses, templateOnly: false };
  const { namespace, name, kind, podCount, templateOnly } = workload;
  return { id, namespace, name, kind, ...(podCount === undefined ? {} : { pods: podCount }), templateOnly };
};
