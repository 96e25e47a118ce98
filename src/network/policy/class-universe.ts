import { createAddressAtoms, type AddressAtoms } from './address-atoms.ts';
import { addressedPeer, type AddressedPeer } from './addressed-peer.ts';
import type { CompiledPeers, PeerEntry } from './compiled-policy.ts';
import { getOrAdd, type Distinctions } from './distinctions.ts';
import type { PeerClass } from './engine.ts';
import type { Matches, Others } from './evaluate-row.ts';
import { matchEntry } from './match-entry.ts';
import type { AddressFamily } from './address-set.ts';
import type { Surroundings } from './surroundings.ts';
import type { Likelihood } from './outcome.ts';

/**
 * The classes as the other ends of rows: one place each, by their ids, and behind them a second one for each that is a node, for the
 * case that it is the pod's own. Policies are matched against one peer of a class; an index spares those that cannot match.
 */
export class ClassUniverse {
  readonly classes: readonly PeerClass[];
  /** From a class's id to its second place. */
  readonly ownNodePlaces: ReadonlyMap<number, number>;
  private readonly peers: readonly AddressedPeer[];
  private readonly atoms: AddressAtoms;
  private readonly index: PlaceIndex;
  private readonly surroundings: Surroundings;
  private readonly matches = new Map<string, Matches>();

  constructor(
    classes: readonly PeerClass[],
    distinctions: Distinctions,
    surroundings: Surroundings,
  ) {
    const { isNodeAddress } = surroundings;
    const nodes = classes.filter(({ peers: [peer] }) => (peer.kind === 'pod' ? peer.hostNetwork : isNodeAddress(peer.address)));
    this.classes = classes;
    this.ownNodePlaces = new Map(nodes.map(({ id }, index) => [id, classes.length + index]));
    this.peers = [...classes, ...nodes].map(({ peers: [peer] }) => addressedPeer(peer));
    this.atoms = createAddressAtoms(distinctions.addressSets);
    this.index = indexPlaces(this.peers, this.atoms);
    this.surroundings = surroundings;
  }

  others(family: AddressFamily): Others {
    return {
      size: this.peers.length,
      peerAt: (place) => this.at(place).peer,
      matching: (peers) => getOrAdd(this.matches, `${family} ${peers.key}`, () => this.matchPeers(peers, family)),
      ownNodes: new Map([...this.ownNodePlaces.values()].map((place): [number, Likelihood] => [place, 2])),
    };
  }

  /** Places of the classes that the entry covers. */
  matchEntry(entry: PeerEntry): Matches {
    return this.matchPeers({ key: '', entries: [entry] }, 'IPv4');
  }

  private matchPeers({ entries }: CompiledPeers, family: AddressFamily): Matches {
    const context = this.surroundings.context(family);
    const found = new Map<number, 'yes' | 'unknown'>();
    const mark = (place: number, kind: 'yes' | 'no' | 'unknown'): void => {
      if (kind !== 'no' && found.get(place) !== 'yes') found.set(place, kind);
    };
    for (const entry of entries) {
      if (entry.kind === 'everyone') return { surely: this.index.all, perhaps: [] };
      if (entry.kind === 'addresses' && this.atoms.knows(entry.set)) {
        for (const places of this.index.byAddresses.values()) {
          const { kind } = matchEntry(entry, this.at(places[0] ?? 0), context);
          if (kind !== 'no') for (const place of places) mark(place, kind);
        }
      } else for (const place of this.candidates(entry)) mark(place, matchEntry(entry, this.at(place), context).kind);
    }
    return { surely: placesWith(found, 'yes'), perhaps: placesWith(found, 'unknown') };
  }

  /** All that may match, and perhaps more. */
  private candidates(entry: PeerEntry): readonly number[] {
    if (entry.kind !== 'pods') return this.index.all;
    const own = entry.namespaces.kind === 'own' ? (this.index.byNamespace.get(entry.namespaces.namespace) ?? []) : this.index.all;
    const named = entry.pods.find(({ operator }) => operator === 'In');
    if (named === undefined || own.length <= 8) return own;
    const byValue = this.index.byLabel(named.key);
    const labelled = [...new Set(named.values)].flatMap((value) => byValue.get(value) ?? []);
    return labelled.length < own.length ? labelled : own;
  }

  private at(place: number): AddressedPeer {
    const peer = this.peers[place];
    if (peer === undefined) throw new Error(`no class has the place ${place}`);
    return peer;
  }
}

const placesWith = (found: ReadonlyMap<number, string>, kind: string): Matches['surely'] => {
  const places: number[] = [];
  for (const [place, matched] of found) if (matched === kind) places.push(place);
  return Uint32Array.from(places).sort();
};

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
