import { BlockList, isIPv4 } from 'node:net';
import type { Protocol } from '../../../src/kubernetes/pod.ts';
import type { PolicyWorld, Verdict } from '../../../src/network/policy/engine.ts';
import type { PodPeer, PolicyPeer } from '../../../src/network/policy/peer.ts';

/**
 * The API's text, sentence by sentence, for one connection: nothing is read in advance, shared or looked up. What may become of the
 * connection is a set of words. It shares no code with the engine but the shapes of peers.
 */
export interface Connection {
  readonly client: PolicyPeer;
  readonly server: PolicyPeer;
  readonly port: number;
  readonly protocol: Protocol;
}

type Json = any; // eslint-disable-line -- policies as they are written, in any of four kinds
type Maybe = 'yes' | 'no' | 'maybe';
type Outcome = 'allowed' | 'denied' | 'open' | 'passed';
type Family = 'IPv4' | 'IPv6';
type Direction = 'ingress' | 'egress';

export const evaluateSlowly = (world: PolicyWorld, connection: Connection): Verdict => {
  const { client, server } = connection;
  if (client.kind === 'pod' && server.kind === 'pod' && client.namespace === server.namespace && client.name === server.name)
    return 'allowed';
  const verdicts = familiesBetween(client, server).map((family) => {
    const egress = half(world, connection, 'egress', family);
    const ingress = half(world, connection, 'ingress', family);
    if (egress === 'denied' || ingress === 'denied') return 'denied';
    return egress === 'depends' || ingress === 'depends' ? 'depends' : 'allowed';
  });
  const [first = 'allowed', second = first] = verdicts;
  return first === second ? first : 'depends';
};

const addressesOf = (peer: PolicyPeer): readonly string[] => {
  if (peer.kind === 'pod') return peer.hostNetwork ? [...peer.addresses, ...peer.nodeAddresses] : peer.addresses;
  const [network = '', prefix] = peer.address.split('/');
  if (prefix === undefined) return [network];
  const [, head, last] = /^(.*[.:])([^.:]+)$/.exec(network) ?? []; // ranges of the tests are small: all their addresses, one by one
  return Array.from({ length: 2 ** ((isIPv4(network) ? 32 : 128) - Number(prefix)) }, (_, index) => `${head}${Number(last) + index}`);
};

const familyOf = (address: string): Family => (isIPv4(address) ? 'IPv4' : 'IPv6');

const familiesBetween = (client: PolicyPeer, server: PolicyPeer): readonly Family[] => {
  const families = (peer: PolicyPeer): readonly Family[] => {
    const own = addressesOf(peer).map(familyOf);
    return own.length === 0 ? ['IPv4', 'IPv6'] : own;
  };
  const shared = (['IPv4', 'IPv6'] as const).filter((family) => families(client).includes(family) && families(server).includes(family));
  if (shared.length > 0) return shared;
  const address = [client, server].find(({ kind }) => kind === 'address');
  return address === undefined ? ['IPv4', 'IPv6'] : families(address).slice(0, 1);
};

const half = (world: PolicyWorld, connection: Connection, direction: Direction, family: Family): Verdict => {
  const [subject, other] = direction === 'egress' ? [connection.client, connection.server] : [connection.server, connection.client];
  if (subject.kind === 'address') return 'allowed';
  const ends: Ends = { world, connection, direction, family, subject, other };

  let possible = new Set<Outcome>(['open']);
  possible = then(possible, clusterTier(ends, 'Admin'));
  if (possible.delete('passed')) possible.add('open');
  possible = then(possible, networkPolicies(ends));
  possible = then(possible, clusterTier(ends, 'Baseline'));
  const mayAllow = possible.has('allowed') || possible.has('open') || possible.has('passed');
  if (!mayAllow) return 'denied';
  return possible.has('denied') ? 'depends' : 'allowed';
};

interface Ends {
  readonly world: PolicyWorld;
  readonly connection: Connection;
  readonly direction: Direction;
  readonly family: Family;
  readonly subject: PodPeer;
  readonly other: PolicyPeer;
}

const then = (before: ReadonlySet<Outcome>, next: ReadonlySet<Outcome>): Set<Outcome> =>
  before.has('open') ? new Set([...[...before].filter((outcome) => outcome !== 'open'), ...next]) : new Set(before);

/** "v1.NetworkPolicy always makes a final decision for selected pods." */
const networkPolicies = (ends: Ends): Set<Outcome> => {
  const { world, direction, subject, other } = ends;
  const selecting = world.policies.filter(({ kind, object }) => {
    const spec: Json = object.spec ?? {};
    if (kind !== 'NetworkPolicy' || (object.metadata.namespace ?? 'default') !== subject.namespace) return false;
    const types: string[] = spec.policyTypes?.length > 0 ? spec.policyTypes : ['Ingress', ...(spec.egress?.length > 0 ? ['Egress'] : [])];
    return types.some((type) => type.toLowerCase() === direction) && labelsMatch(spec.podSelector ?? {}, subject.labels);
  });
  const selectsHost = world.cni?.selectsHostNetwork;
  if (selecting.length === 0 || (subject.hostNetwork && selectsHost === false)) return new Set(['open']);
  const answers: Maybe[] = selecting.flatMap(({ object }) => {
    const rules: Json[] = (object.spec as Json)?.[direction] ?? [];
    return rules.map((rule) => {
      const peers: Json[] = rule[direction === 'ingress' ? 'from' : 'to'] ?? [];
      const peer = peers.length === 0 ? 'yes' : any(peers.map((entry) => policyPeer(entry, object.metadata.namespace ?? 'default', ends)));
      const ports: Json[] = rule.ports ?? [];
      return all([peer, ports.length === 0 ? 'yes' : any(ports.map((entry) => policyPort(entry, ends)))]);
    });
  });
  answers.push(ownNode(subject, other));
  const answer = any(answers);
  const outcome: Outcome[] = answer === 'yes' ? ['allowed'] : answer === 'no' ? ['denied'] : ['allowed', 'denied'];
  return new Set(subject.hostNetwork && selectsHost === undefined ? [...outcome, 'open'] : outcome);
};

const ownNode = (subject: PodPeer, other: PolicyPeer): Maybe => {
  if (other.kind === 'address') return subject.nodeAddresses.includes(other.address) ? 'yes' : 'no';
  if (!other.hostNetwork) return 'no';
  if (subject.nodeName === undefined || other.nodeName === undefined) return 'maybe';
  return subject.nodeName === other.nodeName ? 'yes' : 'no';
};

const policyPeer = (entry: Json, policyNamespace: string, ends: Ends): Maybe => {
  const { other, world } = ends;
  if (entry.ipBlock !== undefined) {
    const part = partIn([entry.ipBlock.cidr], entry.ipBlock.except ?? [], ends);
    if (other.kind === 'address' || part === 'no') return part;
    const fact = other.hostNetwork ? world.cni?.ipBlockMatchesNodes : world.cni?.ipBlockMatchesPods;
    if (fact === undefined) return 'maybe';
    return fact ? part : 'no';
  }
  if (entry.podSelector === undefined && entry.namespaceSelector === undefined) return 'maybe';
  if (other.kind === 'address') return 'no';
  const inNamespace =
    entry.namespaceSelector === undefined
      ? sure(other.namespace === policyNamespace)
      : namespaceMatches(entry.namespaceSelector, other.namespace, world);
  const selected = all([inNamespace, sure(labelsMatch(entry.podSelector ?? {}, other.labels))]);
  if (!other.hostNetwork) return selected;
  const fact = world.cni?.selectsHostNetwork;
  return all([selected, fact === undefined ? 'maybe' : sure(fact)]);
};

const policyPort = ({ protocol = 'TCP', port, endPort }: Json, { connection }: Ends): Maybe => {
  if (protocol !== connection.protocol) return 'no';
  if (port === undefined) return 'yes';
  if (typeof port === 'string') return namedPort(port, [protocol], connection);
  return sure(connection.port >= port && connection.port <= (endPort ?? port));
};

const namedPort = (name: string, protocols: readonly Protocol[], { server, protocol, port }: Connection): Maybe => {
  if (server.kind === 'address' || !protocols.includes(protocol)) return 'no';
  const numbers = new Set(
    server.namedPorts.filter((named) => named.name === name && named.protocol === protocol).map((named) => named.port),
  );
  if (!numbers.has(port)) return 'no';
  return numbers.size === 1 ? 'yes' : 'maybe';
};

/** By priority; kinds that nobody has ordered among each other, and equal priorities: any that matches may decide. */
const clusterTier = (ends: Ends, tier: 'Admin' | 'Baseline'): Set<Outcome> => {
  const kinds = tier === 'Admin' ? ['ClusterNetworkPolicy', 'AdminNetworkPolicy'] : ['ClusterNetworkPolicy', 'BaselineAdminNetworkPolicy'];
  return anyFirst(
    kinds.map((kind) => {
      const policies = ends.world.policies.filter(({ kind: own, object }) => {
        const spec = object.spec as Json;
        return own === kind && (kind !== 'ClusterNetworkPolicy' || spec.tier === tier);
      });
      const priorities = [...new Set(policies.map(({ object }) => (object.spec as Json).priority ?? 0))].toSorted((a, b) => a - b);
      return priorities
        .map((priority) => policies.filter(({ object }) => ((object.spec as Json).priority ?? 0) === priority))
        .map((equals) => anyFirst(equals.map(({ object }) => clusterPolicy(object.spec, ends))))
        .reduce(then, new Set<Outcome>(['open']));
    }),
  );
};

const anyFirst = (alternatives: readonly ReadonlySet<Outcome>[]): Set<Outcome> => {
  const decided = alternatives.flatMap((alternative) => [...alternative]).filter((outcome) => outcome !== 'open');
  return new Set(alternatives.every((alternative) => alternative.has('open')) ? [...decided, 'open' as const] : decided);
};

const clusterPolicy = (spec: Json, ends: Ends): Set<Outcome> => {
  const { subject, direction } = ends;
  const selects = subject.hostNetwork ? 'no' : clusterPods(spec.subject, subject, ends.world);
  if (selects === 'no') return new Set(['open']);
  const rules: Json[] = spec[direction] ?? [];
  const possible = rules.map((rule) => clusterRule(rule, ends)).reduce(then, new Set<Outcome>(['open']));
  return selects === 'maybe' ? new Set([...possible, 'open']) : possible;
};

const clusterRule = (rule: Json, ends: Ends): Set<Outcome> => {
  const actions: Record<string, Outcome> = { Accept: 'allowed', Allow: 'allowed', Deny: 'denied', Pass: 'passed' };
  const action = actions[rule.action] ?? 'denied';
  const peers: Json[] = rule[ends.direction === 'ingress' ? 'from' : 'to'];
  const known = ['namespaces', 'pods', ...(ends.direction === 'egress' ? ['nodes', 'networks', 'domainNames'] : [])];
  if (peers.some((peer) => known.every((field) => peer[field] === undefined))) return new Set([action === 'allowed' ? 'open' : 'denied']);
  const entries: Json[] = rule.protocols ?? rule.ports ?? [];
  const onPort = entries.length === 0 ? 'yes' : any(entries.map((entry) => clusterPort(entry, ends)));
  const matches = all([any(peers.map((peer) => clusterPeer(peer, ends))), onPort]);
  if (matches === 'no') return new Set(['open']);
  return new Set(matches === 'yes' ? [action] : [action, 'open']);
};

const clusterPeer = (peer: Json, ends: Ends): Maybe => {
  const { other, world } = ends;
  if (peer.networks !== undefined) return partIn(peer.networks, [], ends);
  if (peer.domainNames !== undefined) return other.kind === 'pod' ? 'no' : 'maybe';
  if (peer.nodes !== undefined) return onNodes(peer.nodes, ends);
  return other.kind === 'address' || other.hostNetwork ? 'no' : clusterPods(peer, other, world);
};

const onNodes = (selector: Json, { other, world }: Ends): Maybe => {
  if (other.kind === 'pod' && !other.hostNetwork) return 'no';
  if (world.nodes === undefined) return 'maybe';
  const chosen = world.nodes.filter(({ metadata }) => labelsMatch(selector, metadata.labels ?? {}));
  if (other.kind === 'pod') {
    if (world.nodes.every(({ metadata }) => metadata.name !== other.nodeName)) return 'maybe';
    return sure(chosen.some(({ metadata }) => metadata.name === other.nodeName));
  }
  const addresses = new Set(chosen.flatMap((node) => (node as Json).status.addresses.map(({ address }: Json) => address)));
  const own = addressesOf(other);
  if (own.every((address) => !addresses.has(address))) return 'no';
  return own.length === 1 ? 'yes' : 'maybe';
};

const clusterPods = ({ namespaces, pods }: Json, pod: PodPeer, world: PolicyWorld): Maybe => {
  const inNamespace = namespaceMatches(namespaces ?? pods.namespaceSelector ?? {}, pod.namespace, world);
  return all([inNamespace, sure(labelsMatch(pods?.podSelector ?? {}, pod.labels))]);
};

const clusterPort = (entry: Json, { connection }: Ends): Maybe => {
  const name = entry.destinationNamedPort ?? entry.namedPort;
  if (name !== undefined) return namedPort(name, ['TCP', 'UDP', 'SCTP'], connection);
  for (const protocol of ['TCP', 'UDP', 'SCTP'] as const) {
    const own = entry[protocol.toLowerCase()];
    if (own === undefined) continue;
    if (protocol !== connection.protocol) return 'no';
    const port = own.destinationPort;
    if (port === undefined) return 'yes';
    return sure(
      port.number === undefined
        ? connection.port >= port.range.start && connection.port <= port.range.end
        : connection.port === port.number,
    );
  }
  const { portNumber, portRange } = entry;
  if (portNumber !== undefined) return sure((portNumber.protocol ?? 'TCP') === connection.protocol && portNumber.port === connection.port);
  if (portRange === undefined) return 'maybe';
  const inRange = connection.port >= portRange.start && connection.port <= portRange.end;
  return sure((portRange.protocol ?? 'TCP') === connection.protocol && inRange);
};

/** Whether the addresses of the other end are in the ranges: all of them, some, none; of a pod that has none yet, nobody knows. */
const partIn = (cidrs: readonly string[], except: readonly string[], { other, family }: Ends): Maybe => {
  const all = addressesOf(other);
  const addresses = all.filter((address) => familyOf(address) === family);
  const everything = family === 'IPv4' ? '0.0.0.0/0' : '::/0';
  if (all.length === 0) {
    const possible = cidrs.some((cidr) => familyOf(cidr.split('/')[0] ?? '') === family);
    if (!possible) return 'no';
    return cidrs.includes(everything) && except.every((cidr) => familyOf(cidr.split('/')[0] ?? '') !== family) ? 'yes' : 'maybe';
  }
  const inside = new Set(addresses.map((address) => inRanges(cidrs, address) && !inRanges(except, address)));
  if (!inside.has(true)) return 'no';
  return inside.has(false) ? 'maybe' : 'yes';
};

const inRanges = (cidrs: readonly string[], address: string): boolean => {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', prefix] = cidr.split('/');
    if (familyOf(network) === familyOf(address))
      // ::/0 would cover IPv4 as mapped addresses
      list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
};

const namespaceMatches = (selector: Json, namespace: string, world: PolicyWorld): Maybe => {
  const object = world.namespaces.find(({ metadata }) => metadata.name === namespace);
  const name = { 'kubernetes.io/metadata.name': namespace };
  if (object !== undefined) return sure(labelsMatch(selector, { ...object.metadata.labels, ...name }));
  const single = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, alone: { matchLabels: { [key]: value } } })),
    ...(selector.matchExpressions ?? []).map((expression: Json) => ({ key: expression.key, alone: { matchExpressions: [expression] } })),
  ];
  return all(single.map(({ key, alone }) => (key in name ? sure(labelsMatch(alone, name)) : 'maybe')));
};

const labelsMatch = ({ matchLabels = {}, matchExpressions = [] }: Json, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values = [] }: Json) => {
    const value = labels[key];
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    if (operator === 'In') return value !== undefined && values.includes(value);
    return value === undefined || !values.includes(value);
  });

const sure = (value: boolean): Maybe => (value ? 'yes' : 'no');
const all = (answers: readonly Maybe[]): Maybe => (answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes');
const any = (answers: readonly Maybe[]): Maybe => (answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no');
