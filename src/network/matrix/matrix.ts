import type { Protocol } from '../../kubernetes/pod.ts';
import { groupConnections, type ConnectionGroup } from './group-connections.ts';
import { cutOpenPorts, type OpenPorts } from './open-ports.ts';
import type { ReachTable } from './reach-table.ts';
import type { TablePeer } from './table-peers.ts';

/** Who reaches whom, on what. */
export interface Matrix {
  /** Workloads, then ranges of addresses outside, cut where policies tell them apart. */
  readonly peers: readonly MatrixPeer[];
  /** In the order of `peers`, by `from`, then by `to`. A pair that is not there is denied on every port. */
  readonly connections: readonly Connection[];
  /** The same for people: equal rows are one. */
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

/** A workload's connections to itself are those among its pods: one of a single pod has none. */
export const matrixOf = (table: ReachTable, dependsOn: readonly string[], filter?: PortFilter): Matrix => {
  const cut = createCut(filter);
  const rows = table.peers.map((client) => ({ client, connections: [] as Connection[], self: noPorts }));
  for (const server of table.peers) {
    for (const [index, found] of table.column(server).entries()) {
      const row = rows[index];
      if (row === undefined || (row.client.workload === undefined && server.workload === undefined)) continue;
      const ports = cut(found);
      if (row.client === server) row.self = ports;
      if (ports.length > 0 && canConnect(row.client, server)) row.connections.push({ from: row.client.id, to: server.id, ports });
    }
  }
  return {
    peers: table.peers.map(matrixPeer),
    connections: rows.flatMap(({ connections }) => connections),
    groups: groupConnections(
      rows.map(({ client, connections, self }) => ({ client: client.id, connections, self, single: isSingle(client) })),
    ),
    dependsOn,
  };
};

const noPorts: readonly OpenPorts[] = [];

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

/** What is outside of the cluster on both ends is nobody's business here. */
export const canConnect = (client: TablePeer, server: TablePeer): boolean => {
  if (client.workload === undefined && server.workload === undefined) return false;
  return client.id !== server.id || !isSingle(client);
};

/** Scaled to nothing, it has the more no two pods. */
const isSingle = ({ workload }: TablePeer): boolean => workload?.podCount !== undefined && workload.podCount <= 1;

const matrixPeer = ({ id, workload }: TablePeer): MatrixPeer => {
  if (workload === undefined) return { id, namespace: '', name: id, kind: 'Addresses', templateOnly: false };
  const { namespace, name, kind, podCount, templateOnly } = workload;
  return { id, namespace, name, kind, ...(podCount === undefined ? {} : { pods: podCount }), templateOnly };
};
