import type { OpenPorts } from './open-ports.ts';
import { isWorkload } from './peer-kinds.ts';
import type { ReachTable } from './reach-table.ts';
import { canConnect, type TablePeer } from './table-peers.ts';

/** Clients that reach the same servers on the same ports. */
export interface ConnectionGroup {
  readonly from: readonly string[];
  /** A client with a single pod does not reach itself, though it may be among them. */
  readonly to: readonly { readonly peers: readonly string[]; readonly ports: readonly OpenPorts[] }[];
}

/** Cuts the ports of a pair to those that are asked for. */
export type Cut = (ports: readonly OpenPorts[]) => readonly OpenPorts[];

/** Equal rows are one; clients that reach nobody are left out. Works by kinds of peers: they may be few where peers are many. */
export const groupConnections = (table: ReachTable, cut: Cut): readonly ConnectionGroup[] => {
  const { kinds, peers } = table;
  const places = new Map(peers.map((peer, place) => [peer, place]));
  const byPlace = (a: TablePeer, b: TablePeer): number => (places.get(a) ?? 0) - (places.get(b) ?? 0);
  const numberOf = createNumbering();
  const rows = readRows(table, cut);
  const equal = Map.groupBy(rows.keys(), (client) => rows[client]?.map(numberOf).join() ?? '');
  return [...equal.values()].flatMap((clientKinds): readonly ConnectionGroup[] => {
    const clients = clientKinds.flatMap((kind) => kinds[kind] ?? []).toSorted(byPlace);
    const [only, ...others] = clients;
    const reached = (rows[clientKinds[0] ?? 0] ?? [])
      .flatMap((ports, kind) => (ports.length === 0 ? [] : (kinds[kind] ?? []).map((server) => ({ server, ports }))))
      .filter(({ server }) => others.length > 0 || only === undefined || canConnect(only, server))
      .toSorted((a, b) => byPlace(a.server, b.server));
    const byPorts = Map.groupBy(reached, ({ ports }) => numberOf(ports));
    const to = [...byPorts.values()].map((alike) => ({ peers: alike.map(({ server }) => server.id), ports: alike[0]?.ports ?? [] }));
    return to.length === 0 ? [] : [{ from: clients.map(({ id }) => id), to }];
  });
};

/** For each kind of clients, the ports of each kind of servers. What is outside of the cluster on both ends is nobody's business here. */
const readRows = (table: ReachTable, cut: Cut): readonly (readonly (readonly OpenPorts[])[])[] => {
  const { kinds } = table;
  const isInside = kinds.map(([peer]) => isWorkload(peer));
  const rows = kinds.map(() => [] as (readonly OpenPorts[])[]);
  for (const server of kinds.keys()) {
    for (const [client, ports] of table.column(server).entries())
      rows[client]?.push(isInside[server] === true || isInside[client] === true ? cut(ports) : []);
  }
  return rows;
};

/** Equal lists of ports have one number. Lists are shared by all pairs of equal classes: each is looked at once. */
const createNumbering = (): ((ports: readonly OpenPorts[]) => number) => {
  const numbers = new Map<readonly OpenPorts[], number>();
  const texts = new Map<string, number>();
  return (ports) => {
    const known = numbers.get(ports);
    if (known !== undefined) return known;
    const text = JSON.stringify(ports);
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    numbers.set(ports, number);
    return number;
  };
};
