import type { Connection } from './matrix.ts';
import type { OpenPorts } from './open-ports.ts';

/** Clients that reach the same servers on the same ports. */
export interface ConnectionGroup {
  readonly from: readonly string[];
  readonly to: readonly { readonly peers: readonly string[]; readonly ports: readonly OpenPorts[] }[];
}

/** One client's whole row. */
export interface ClientRow {
  readonly client: string;
  readonly connections: readonly Connection[];
  /** What a second pod of it would reach of the first; a row without it is not equal to its neighbours' for this alone. */
  readonly self: readonly OpenPorts[];
  /** It has no second pod. */
  readonly single: boolean;
}

/** A matrix for people: equal rows are one, clients that reach nobody are left out. */
export const groupConnections = (rows: readonly ClientRow[]): readonly ConnectionGroup[] => {
  const groups = [...Map.groupBy(rows, createSignature()).values()];
  return groups.flatMap((group): readonly ConnectionGroup[] => {
    const [first, ...more] = group;
    if (first === undefined) return [];
    const connections = first.single && more.length > 0 ? withSelf(first) : first.connections;
    if (connections.length === 0) return [];
    const byPorts = Map.groupBy(connections, ({ ports }) => JSON.stringify(ports));
    return [
      {
        from: group.map(({ client }) => client),
        to: [...byPorts.values()].map((row) => ({ peers: row.map(({ to }) => to), ports: row[0]?.ports ?? [] })),
      },
    ];
  });
};

const withSelf = ({ client, connections, self }: ClientRow): readonly Connection[] =>
  self.length === 0 ? connections : [...connections, { from: client, to: client, ports: self }];

/** Lists of ports are shared by all pairs of equal classes: each is looked at once. */
const createSignature = (): ((row: ClientRow) => string) => {
  const numbers = new Map<readonly OpenPorts[], string>();
  const texts = new Map<string, string>();
  const numberOf = (ports: readonly OpenPorts[]): string => {
    const known = numbers.get(ports);
    if (known !== undefined) return known;
    const text = JSON.stringify(ports);
    const number = texts.get(text) ?? String(texts.size);
    texts.set(text, number);
    numbers.set(ports, number);
    return number;
  };
  return (row) =>
    withSelf({ ...row, connections: row.connections.filter(({ to }) => to !== row.client) })
      .map(({ to, ports }) => `${to} ${numberOf(ports)}`)
      .toSorted()
      .join('\n');
};
