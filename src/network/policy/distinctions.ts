import type { Requirements } from '../../kubernetes/label-selector.ts';
import { familyOf, type AddressRange, type AddressSet } from './address-set.ts';
import { createAddressAtoms } from './address-atoms.ts';
import type { AddressedPeer } from './addressed-peer.ts';
import type { CompiledPolicy, CompiledRule, PeerEntry } from './compiled-policy.ts';
import type { PodPeer } from './peer.ts';

/** What policies look at when they tell peers apart: everything else may differ within a class. */
export interface Distinctions {
  /** Label keys, and the values that selectors name: all others are one. */
  readonly everywhere: ReadonlyMap<string, ReadonlySet<string>>;
  /** The same for selectors that concern one namespace only. */
  readonly within: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
  readonly portNames: ReadonlySet<string>;
  readonly addressSets: readonly AddressSet[];
  readonly nodes: boolean;
}

export const distinctionsOf = (policies: readonly CompiledPolicy[]): Distinctions => {
  const everywhere = new Map<string, Set<string>>();
  const within = new Map<string, Map<string, Set<string>>>();
  const portNames = new Set<string>();
  const addressSets: AddressSet[] = [];
  let nodes = false;

  const readEntry = (entry: PeerEntry): void => {
    if (entry.kind === 'nodes') nodes = true;
    if (entry.kind === 'addresses') addressSets.push(entry.set);
    if (entry.kind !== 'pods') return;
    const labels = entry.namespaces.kind === 'selected' ? everywhere : getOrAdd(within, entry.namespaces.namespace, () => new Map());
    readRequirements(labels, entry.pods);
  };
  const readRule = ({ peers, ports }: CompiledRule): void => {
    for (const entry of peers.entries) readEntry(entry);
    if (ports.entries !== 'all') for (const entry of ports.entries) if (entry.kind === 'name') portNames.add(entry.name);
  };
  for (const { subject, ingress = [], egress = [] } of policies) {
    readEntry(subject);
    for (const rule of ingress) readRule(rule);
    for (const rule of egress) readRule(rule);
  }
  return { everywhere, within, portNames, addressSets, nodes };
};

const readRequirements = (labels: Map<string, Set<string>>, requirements: Requirements): void => {
  for (const { key, values } of requirements) {
    const known = getOrAdd(labels, key, () => new Set());
    for (const value of values) known.add(value);
  }
};

export const getOrAdd = <Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
};

/** A text that is equal for peers that the distinctions do not tell apart, as far as policies can see more than these: namespace, network. */
export const createDistinguisher = (
  distinctions: Distinctions,
  isNodeAddress: (address: string) => boolean,
): ((peer: AddressedPeer) => string) => {
  const { everywhere, within, portNames, addressSets, nodes } = distinctions;
  const atoms = createAddressAtoms(addressSets);
  const common = [...everywhere];
  const labelsOf = new Map<string, readonly (readonly [string, ReadonlySet<string>])[]>();
  const labelsIn = (namespace: string) => getOrAdd(labelsOf, namespace, () => [...common, ...(within.get(namespace) ?? [])]);

  const rangeKey = (range: AddressRange): string => `${familyOf(range)}${atoms.signatureOf(range)}`;
  const addressKey = ({ ranges: [first, ...more] }: AddressedPeer): string => {
    if (addressSets.length === 0 || first === undefined) return '';
    return more.length === 0 ? rangeKey(first) : [first, ...more].map(rangeKey).toSorted().join('+');
  };
  const portsKey = ({ namedPorts }: PodPeer): string =>
    portNames.size === 0
      ? ''
      : namedPorts.map(({ name, protocol, port }) => (portNames.has(name) ? `${name}/${protocol}/${port}` : '')).join();

  return (addressed) => {
    const { peer } = addressed;
    if (peer.kind === 'address') {
      const single = nodes || isNodeAddress(peer.address) ? peer.address : '';
      return `address ${single}|${addressKey(addressed)}`;
    }
    let key = `${peer.namespace}|${portsKey(peer)}|${addressKey(addressed)}`;
    if (peer.hostNetwork) key += `|host ${nodes ? peer.nodeName : ''}`;
    for (const [label, values] of labelsIn(peer.namespace)) {
      const value = Object.hasOwn(peer.labels, label) ? peer.labels[label] : undefined;
      if (value === undefined) key += '|';
      else key += values.has(value) ? `|=${value}` : '|*';
    }
    return key;
  };
};
