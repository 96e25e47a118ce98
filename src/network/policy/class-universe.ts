import { createAddressAtoms, type AddressAtoms } from './address-atoms.ts';
import { familiesOf, familyBits, type AddressedPeer } from './addressed-peer.ts';
import type { CompiledPorts, NamespaceChoice, PeerEntry } from './compiled-policy.ts';
import { getOrAdd, type Distinctions } from './distinctions.ts';
import type { PeerClass } from './engine.ts';
import type { Algebra } from './algebra.ts';
import type { Others } from './evaluate-row.ts';
import { matchEntry } from './match-entry.ts';
import type { AddressFamily } from './address-set.ts';
import { namespaceNameLabel } from './matching-context.ts';
import { likelihoodOf } from './pair.ts';
import { everywhere, placesOf, type PlaceValues } from './place-values.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * The classes as the other ends of rows: one place each, by their ids, and behind them a second one for each that is a node, for the
 * case that it is the pod's own. Policies are matched against one peer of a class; an index spares those that cannot match.
 */
export class ClassUniverse {
  readonly classes: readonly PeerClass[];
  /** From a class's id to its second place. */
  readonly ownNodePlaces: ReadonlyMap<number, number>;
  /** Of each class: a bit for IPv4, a bit for IPv6. */
  readonly families: Uint8Array;
  private readonly peers: readonly AddressedPeer[];
  private readonly atoms: AddressAtoms;
  private readonly index: PlaceIndex;
  private readonly surroundings: Surroundings;
  private readonly ownNode: PlaceValues;
  private readonly matches = new Map<string, PlaceValues>();
  private readonly ports = new WeakMap<CompiledPorts, PlaceValues>();

  constructor(classes: readonly PeerClass[], distinctions: Distinctions, surroundings: Surroundings) {
    const { isNodeAddress, addressed } = surroundings;
    const nodes = classes.filter(({ peers: [peer] }) => (peer.kind === 'pod' ? peer.hostNetwork : isNodeAddress(peer.address)));
    this.classes = classes;
    this.ownNodePlaces = new Map(nodes.map(({ id }, index) => [id, classes.length + index]));
    this.peers = [...classes, ...nodes].map(({ peers: [peer] }) => addressed(peer));
    this.families = Uint8Array.from(this.peers.slice(0, classes.length), (peer) => familyBits(familiesOf(peer)));
    this.ownNode = placesOf(this.peers.length, new Map(nodes.map((_node, index) => [classes.length + index, 2])), 0);
    this.atoms = createAddressAtoms(distinctions.addressSets);
    this.index = indexPlaces(this.peers, this.atoms);
    this.surroundings = surroundings;
  }

  others(family: AddressFamily, algebra: Algebra): Others {
    return {
      matching: (peers) => getOrAdd(this.matches, `${family} ${peers.key}`, () => this.matchEntries(peers.entries, family)),
      portsOn: (ports) => this.portsOn(ports, algebra),
      ownNode: this.ownNode,
    };
  }

  /** Likelihoods that the entry covers the classes. */
  matchEntry(entry: PeerEntry): PlaceValues {
    return this.matchEntries([entry], 'IPv4');
  }

  private portsOn(ports: CompiledPorts, algebra: Algebra): PlaceValues {
    const known = this.ports.get(ports);
    if (known !== undefined) return known;
    const found = this.peers.map(({ peer }, place): [number, number] => [place, algebra.portsOf(ports, peer)]);
    const along = placesOf(found.length, new Map(found), 0);
    this.ports.set(ports, along);
    return along;
  }

  private matchEntries(entries: readonly PeerEntry[], family: AddressFamily): PlaceValues {
    const context = this.surroundings.context(family);
    const found = new Map<number, number>();
    const mark = (place: number, likelihood: number): void => {
      if (likelihood > (found.get(place) ?? 0)) found.set(place, likelihood);
    };
    for (const entry of entries) {
      if (entry.kind === 'everyone') return everywhere(2);
      if (entry.kind === 'addresses' && this.atoms.knows(entry.set)) {
        for (const places of this.index.byAddresses.values()) {
          const likelihood = likelihoodOf(matchEntry(entry, this.at(places[0] ?? 0), context));
          if (likelihood !== 0) for (const place of places) mark(place, likelihood);
        }
      } else for (const place of this.candidates(entry)) mark(place, likelihoodOf(matchEntry(entry, this.at(place), context)));
    }
    return placesOf(this.peers.length, found, 0);
  }

  /** All that may match, and perhaps more. */
  private candidates(entry: PeerEntry): readonly number[] {
    if (entry.kind !== 'pods') return this.index.all;
    const own = this.inNamespaces(entry.namespaces);
    const named = entry.pods.find(({ operator }) => operator === 'In');
    if (named === undefined || own.length <= 8) return own;
    const byValue = this.index.byLabel(named.key);
    const labelled = [...new Set(named.values)].flatMap((value) => byValue.get(value) ?? []);
    return labelled.length < own.length ? labelled : own;
  }

  private inNamespaces(choice: NamespaceChoice): readonly number[] {
    const { all, byNamespace } = this.index;
    if (choice.kind === 'own') return byNamespace.get(choice.namespace) ?? [];
    const named = choice.requirements.find(({ key, operator }) => key === namespaceNameLabel && operator === 'In');
    return named === undefined ? all : [...new Set(named.values)].flatMap((name) => byNamespace.get(name) ?? []);
  }

  at(place: number): AddressedPeer {
    const peer = this.peers[place];
    if (peer === undefined) throw new Error(`no class has the place ${place}`);
    return peer;
  }
}

interface PlaceIndex {
  readonly all: readonly number[];
  readonly byNamespace: ReadonlyMap<string, readonly number[]>;
  /** For a label's key, by value. */
  readonly byLabel: (key: string) => ReadonlyMap<string, readonly number[]>;
  /** Alike for every known address set, as far as the kind of peer goes. */
  readonly byAddresses: ReadonlyMap<string, readonly number[]>;
}

const indexPlaces = (peers: readonly AddressedPeer[], atoms: AddressAtoms): PlaceIndex => {
  const byNamespace = new Map<string, number[]>();
  const byAddresses = new Map<string, number[]>();
  const labels = new Map<string, Map<string, number[]>>();
  peers.forEach(({ peer, ranges }, place) => {
    if (peer.kind === 'pod') getOrAdd(byNamespace, peer.namespace, () => []).push(place);
    const kind = peer.kind === 'address' ? 'address' : `pod ${peer.hostNetwork}`;
    const signature = ranges.map((range) => `${range[0] < 2n ** 32n ? 4 : 6} ${atoms.signatureOf(range)}`).join('+');
    getOrAdd(byAddresses, `${kind} ${signature}`, () => []).push(place);
  });
  const readLabel = (key: string): Map<string, number[]> => {
    const byValue = new Map<string, number[]>();
    peers.forEach(({ peer }, place) => {
      const value = peer.kind === 'pod' && Object.hasOwn(peer.labels, key) ? peer.labels[key] : undefined;
      if (value !== undefined) getOrAdd(byValue, value, () => []).push(place);
    });
    return byValue;
  };
  return {
    all: peers.map((_peer, place) => place),
    byNamespace,
    byLabel: (key) => getOrAdd(labels, key, () => readLabel(key)),
    byAddresses,
  };
};
