import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import { valueAt } from '../../kubernetes/json-pointer.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { CniProfile } from '../inventory/cni-profiles.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { outsideOf } from '../inventory/outside.ts';
import { namespaceOf } from '../inventory/source-object.ts';
import { formatAddressRange, parseAddressRange, type AddressRange } from '../policy/address-set.ts';
import { createPolicyEngine } from '../policy/create-policy-engine.ts';
import { byWorkload, groupAlike, type Group } from './group-connections.ts';
import { nameOf } from './name-of.ts';
import { worstOf, type HalfAnswer, type Party, type PathAnswer } from './answer.ts';
import type { Connection } from './connections.ts';
import type { Member } from './end.ts';
import { judgePath, type JudgedPath } from './judge-path.ts';
import type { QueryWorld } from './query-world.ts';
import type { DialledPort } from './service-port.ts';

/** An engine that tells the ends of these pairs apart. */
export const openWorld = (inventory: Inventory, pairs: readonly Connection[], cni: CniProfile | undefined): QueryWorld => {
  const { namespaces, nodes } = inventory;
  const peers = [...new Set(pairs.flatMap(({ client, server }) => [client.peer, server.peer]))];
  const ends = new Set(peers.map((peer) => (peer.kind === 'pod' ? peer.namespace : undefined)));
  const policies = inventory.policies.filter(({ kind, object }) => kind !== 'NetworkPolicy' || ends.has(namespaceOf(object)));
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

export interface JudgeOptions {
  /** Through a Service: what the client dials. */
  readonly dialled?: DialledPort;
  /** Whom nobody asks for by name: denied pairs of many workloads stay one answer. */
  readonly mergeDenied?: boolean;
}

/** More paths than that are told by what policies tell apart, and not one for each pair of workloads. */
const mostPaths = 300;

/** One answer for each pair of workloads, or for less where policies tell their pods apart. */
export const judgeConnections = (
  connections: readonly Connection[],
  world: QueryWorld,
  { dialled, mergeDenied = false }: JudgeOptions,
): readonly PathAnswer[] => {
  const alike = groupAlike(connections, world).map((group) => ({
    group,
    path: answerPath(group, world, dialled),
    parts: byWorkload(group),
  }));
  const isSplit = ({ path }: (typeof alike)[number]): boolean => !(mergeDenied && path.verdict === 'denied');
  const pathCount = alike.filter(isSplit).reduce((sum, { parts }) => sum + parts.length, 0);
  const order = new Map(connections.map((connection, index) => [connection, index]));
  if (pathCount > mostPaths) return alike.map(({ path }) => path);
  return alike
    .flatMap((found) =>
      isSplit(found) && found.parts.length > 1
        ? found.parts.map((part) => ({ first: part[0], path: answerPath(part, world, dialled) }))
        : [{ first: found.group[0], path: found.path }],
    )
    .toSorted((a, b) => (order.get(a.first) ?? 0) - (order.get(b.first) ?? 0))
    .map(({ path }) => path);
};

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

const partyOf = (members: readonly Member[]): Party => {
  const [first = '', ...more] = new Set(members.map(({ of }) => of));
  return {
    id: more.length === 0 ? first : `${first} and ${more.length} more`,
    pods: [...new Set(members.flatMap(({ peer, templateOnly }) => (peer.kind === 'pod' && !templateOnly ? [peer.name] : [])))],
    templateOnly: members.some(({ templateOnly }) => templateOnly),
  };
};

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
