import { createDistinguisher, type Distinctions } from './distinctions.ts';
import type { PeerClass } from './engine.ts';
import type { PolicyPeer } from './peer.ts';
import type { Surroundings } from './surroundings.ts';

export interface Division {
  readonly classes: readonly PeerClass[];
  /** For each class, the id of the one that it is a part of. */
  readonly partOf: readonly number[];
}

/** Divides classes where the distinctions tell their peers apart. Equal peers stay together in their order. */
export const divideClasses = (
  classes: readonly PeerClass[],
  distinctions: Distinctions,
  { isNodeAddress, addressed }: Surroundings,
): Division => {
  const distinguish = createDistinguisher(distinctions, isNodeAddress);
  const readAddresses = distinctions.addressSets.length > 0;
  const divided: PeerClass[] = [];
  const partOf: number[] = [];
  const keep = (peers: PeerClass['peers'], whole: PeerClass): void => {
    divided.push({ id: divided.length, peers });
    partOf.push(whole.id);
  };
  for (const whole of classes) {
    const keys =
      whole.peers.length === 1 ? [] : whole.peers.map((peer) => distinguish(readAddresses ? addressed(peer) : { peer, ranges: [] }));
    if (keys.every((key) => key === keys[0])) {
      keep(whole.peers, whole);
      continue;
    }
    const parts = new Map<string, [PolicyPeer, ...PolicyPeer[]]>();
    whole.peers.forEach((peer, index) => {
      const key = keys[index] ?? '';
      const part = parts.get(key);
      if (part === undefined) parts.set(key, [peer]);
      else part.push(peer);
    });
    for (const peers of parts.values()) keep(peers, whole);
  }
  return { classes: divided, partOf };
};

/** All that there are, not told apart yet. */
export const oneClass = (peers: readonly PolicyPeer[]): readonly PeerClass[] => {
  const [first, ...more] = peers;
  return first === undefined ? [] : [{ id: 0, peers: [first, ...more] }];
};
