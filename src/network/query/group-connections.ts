import { isAmbient } from '../inventory/mesh.ts';
import type { PolicyPeer } from '../policy/peer.ts';
import type { Connection } from './connections.ts';
import { nameOf } from './name-of.ts';
import type { QueryWorld } from './query-world.ts';

/** Pairs that get one answer. */
export type Group = readonly [Connection, ...Connection[]];

/** Pairs that neither a policy nor anything else of a verdict tells apart. */
export const groupAlike = (connections: readonly Connection[], world: QueryWorld): readonly Group[] => {
  const keyOf = createPeerKey(world);
  return groupBy(connections, ({ client, server, port, protocol, translation, rewritten }) =>
    [
      keyOf(client.peer),
      keyOf(server.peer),
      port,
      protocol,
      translation?.reason ?? '',
      rewritten,
      nameOf(client.peer) === nameOf(server.peer),
      onOneNode(client.peer, server.peer),
    ].join('\n'),
  );
};

export const byWorkload = (group: Group): readonly Group[] => groupBy(group, ({ client, server }) => `${client.of}\n${server.of}`);

/** Equal for pods of one class that the same doubts may concern. */
const createPeerKey = ({ engine, inventory }: QueryWorld): ((peer: PolicyPeer) => string) => {
  const { doubts, namespaces } = inventory;
  const keys = new Map<PolicyPeer, string>();
  const classOf = new Map<PolicyPeer, number>();
  for (const { id, peers } of engine.classes()) for (const peer of peers) classOf.set(peer, id);
  const outside: PolicyPeer = { kind: 'address', address: '0.0.0.0' };
  return (peer) => {
    const known = keys.get(peer);
    if (known !== undefined) return known;
    const concerning = doubts.flatMap((doubt, index) => (doubt.concerns(peer, outside) ? [index] : []));
    const key = `${classOf.get(peer) ?? nameOf(peer)} ${isAmbient(peer, namespaces)} ${concerning.join()}`;
    keys.set(peer, key);
    return key;
  };
};

/** A pod on its node's network always reaches the pods of this node. */
const onOneNode = (client: PolicyPeer, server: PolicyPeer): boolean =>
  client.kind === 'pod' && server.kind === 'pod' && (client.hostNetwork || server.hostNetwork) && client.nodeName === server.nodeName;

const groupBy = (connections: readonly Connection[], keyOf: (connection: Connection) => string): readonly Group[] => {
  const groups = new Map<string, [Connection, ...Connection[]]>();
  for (const connection of connections) {
    const key = keyOf(connection);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [connection]);
    else group.push(connection);
  }
  return [...groups.values()];
};
