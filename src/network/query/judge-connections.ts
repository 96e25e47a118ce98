import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import { valueAt } from '../../kubernetes/json-pointer.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { CniProfile } from '../inventory/cni-profiles.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { outsideOf } from '../inventory/outside.ts';
import { formatAddressRange, parseAddressRange, type AddressRange } from '../policy/address-set.ts';
import { createPolicyEngine } from '../policy/create-policy-engine.ts';
import type { PolicyPeer } from '../policy/peer.ts';
import { worstOf, type HalfAnswer, type Party, type PathAnswer } from './answer.ts';
import type { Connection } from './connections.ts';
import type { Member } from './end.ts';
import { judgePath, type JudgedPath } from './judge-path.ts';
import type { QueryWorld } from './query-world.ts';
import type { DialledPort } from './service-port.ts';

/** An engine that tells the ends of these pairs apart. */
export const openWorld = (inventory: Inventory, pairs: readonly Connection[], cni: CniProfile | undefined): QueryWorld => {
  const { policies, namespaces, nodes } = inventory;
  const peers = [...new Set(pairs.flatMap(({ client, server }) => [client.peer, server.peer]))];
  const engine = createPolicyEngine({ policies, namespaces, nodes, peers, ...(cni === undefined ? {} : { cni }) });
  return { inventory, engine, ...(cni === undefined ? {} : { cni }) };
};

/** Ranges of addresses in the pieces that policies tell apart. */
export const cutAddresses = (pairs: readonly Connection[], { inventory }: QueryWorld): readonly Connection[] => {
  const cut = createCut(inventory);
  return pairs.flatMap((pair) => cut(pair.client).flatMap((client) => cut(pair.server).map((server) => ({ ...pair, client, server }))));
};

const createCut = ({ policies }: Inventory): ((member: Member) => readonly Member[]) => {
  const pieces = outsideOf(policies).flatMap(({ address }) => rangesOf(address));
  return (member) => {
    const { peer } = member;
    const range = peer.kind === 'pod' || !/[/-]/.test(peer.address) ? undefined : parseAddressRange(peer.address);
    if (range === undefined) return [member];
    const inside = pieces.flatMap((piece) => overlapOf(range, piece));
    if (inside.length <= 1) return [member];
    return inside.map(formatAddressRange).map((address) => ({ ...member, peer: { kind: 'address', address }, of: address }));
  };
};

const rangesOf = (address: string): readonly AddressRange[] => {
  const range = parseAddressRange(address);
  return range === undefined ? [] : [range];
};

const overlapOf = (a: AddressRange, b: AddressRange): readonly AddressRange[] => {
  const [first, last] = [a[0] > b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]];
  return first > last ? [] : [[first, last]];
};

/** One answer for each pair of workloads, or for less where policies tell their pods apart. `dialled`: through a Service. */
export const judgeConnections = (
  connections: readonly Connection[],
  world: QueryWorld,
  dialled: DialledPort | undefined,
): readonly PathAnswer[] => groupPaths(connections, world).map((group) => answerPath(group, world, dialled));

/** Pairs of the same two workloads that no policy tells apart. */
type Group = readonly [Connection, ...Connection[]];

const groupPaths = (connections: readonly Connection[], { engine }: QueryWorld): readonly Group[] => {
  const classOf = new Map<PolicyPeer, number>(engine.classes().flatMap(({ id, peers }) => peers.map((peer) => [peer, id] as const)));
  const groups = new Map<string, [Connection, ...Connection[]]>();
  for (const connection of connections) {
    const { client, server, port, translation } = connection;
    const key = JSON.stringify([
      client.of,
      server.of,
      classOf.get(client.peer) ?? nameOf(client.peer),
      classOf.get(server.peer) ?? nameOf(server.peer),
      port,
      translation,
      nameOf(client.peer) === nameOf(server.peer),
      onOneNode(client.peer, server.peer),
    ]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [connection]);
    else group.push(connection);
  }
  return [...groups.values()];
};

/** A pod on its node's network always reaches the pods of this node. */
const onOneNode = (client: PolicyPeer, server: PolicyPeer): boolean =>
  client.kind === 'pod' && server.kind === 'pod' && (client.hostNetwork || server.hostNetwork) && client.nodeName === server.nodeName;

const nameOf = (peer: PolicyPeer): string => (peer.kind === 'pod' ? `${peer.namespace}/${peer.name}` : peer.address);

const answerPath = (group: Group, world: QueryWorld, dialled: DialledPort | undefined): PathAnswer => {
  const [{ client, server, port, protocol, translation, rewritten }] = group;
  const judged = judgePath(world, { client: client.peer, server: server.peer, port, protocol });
  const egress = dialled === undefined ? judged.egress : withServicePort(judged.egress, port, dialled, world);
  const ingress = rewritten ? withNodeAddresses(judged, group[0], world) : judged.ingress;
  return {
    verdict: worstOf([egress.verdict, ingress.verdict, ...(translation === undefined ? [] : [translation.verdict])]),
    client: partyOf(group.map((pair) => pair.client)),
    server: partyOf(group.map((pair) => pair.server)),
    port,
    protocol,
    egress,
    ...(translation === undefined ? {} : { translation }),
    ingress,
  };
};

const partyOf = (members: readonly Member[]): Party => ({
  id: members[0]?.of ?? '',
  pods: [...new Set(members.flatMap(({ peer, templateOnly }) => (peer.kind === 'pod' && !templateOnly ? [peer.name] : [])))],
  templateOnly: members.some(({ templateOnly }) => templateOnly),
});

const withServicePort = (egress: HalfAnswer, port: number, dialled: DialledPort, { cni }: QueryWorld): HalfAnswer => {
  if (cni?.judgesServicePort !== true || port === dialled.port || egress.verdict !== 'allowed' || egress.policies.length === 0)
    return egress;
  return {
    ...egress,
    verdict: 'depends',
    reason: `depends on ${cni.name}: it judges the Service's own port ${dialled.port} as well, which differs from the pod's ${port}; by the pod's allowed: ${egress.reason}`,
  };
};

/** Behind `externalTrafficPolicy: Cluster` a policy may see a node in place of the client. */
const withNodeAddresses = ({ ingress }: JudgedPath, { client, server, port, protocol }: Connection, world: QueryWorld): HalfAnswer => {
  if (ingress.policies.length === 0) return ingress;
  const nodes = world.inventory.nodes.flatMap(addressesOfNode);
  const asNode = nodes.map(
    (address) => judgePath(world, { client: { kind: 'address', address }, server: server.peer, port, protocol }).ingress,
  );
  if (nodes.length > 0 && asNode.every(({ verdict }) => verdict === ingress.verdict)) return ingress;
  return {
    ...ingress,
    verdict: 'depends',
    reason: `depends on whose address the policies see: externalTrafficPolicy is Cluster, and a node may put its own in place of ${nameOf(client.peer)}; by the client's ${ingress.verdict}: ${ingress.reason}`,
  };
};

const addressesOfNode = (node: KubernetesObject): readonly string[] => {
  const addresses = valueAt(node, ['status', 'addresses']);
  return isJsonArray(addresses)
    ? addresses.flatMap((entry) =>
        isJsonObject(entry) && entry['type'] === 'InternalIP' && typeof entry['address'] === 'string' ? [entry['address']] : [],
      )
    : [];
};
