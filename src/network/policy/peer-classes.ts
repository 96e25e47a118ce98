import type { AddressedPeer } from './addressed-peer.ts';
import { addressedPeer } from './addressed-peer.ts';
import { createDistinguisher, type Distinctions } from './distinctions.ts';
import type { PeerClass } from './engine.ts';
import type { PolicyPeer } from './peer.ts';

export interface Division {
  readonly classes: readonly PeerClass[];
  /** For each class, the id of the one that it is a part of. */
  readonly partOf: readonly number[];
}

/** Divides classes where the distinctions tell their peers apart. Equal peers stay together in their order. */
export const divideClasses = (
  classes: readonly PeerClass[],
  distinctions: Distinctions,
  isNodeAddress: (address: string) => boolean,
): Division => {
  const distinguish = createDistinguisher(distinctions, isNodeAddress);
  const readAddresses = distinctions.addressSets.length > 0;
  const divided: PeerClass[] = [];
  const partOf: number[] = [];
  for (const whole of classes) {
    if (whole.peers.length === 1) {
      divided.push({ ...whole, id: divided.length });
      partOf.push(whole.id);
      continue;
    }
    const parts = new Map<string, [PolicyPeer, ...PolicyPeer[]]>();
    for (const peer of whole.peers) {
      const addressed: AddressedPeer = readAddresses ? addressedPeer(peer) : { peer, ranges: [] };
      const key = distinguish(addressed);
      const part = parts.get(key);
      if (part === undefined) parts.set(key, [peer]);
      else part.push(peer);
    }
    for (const peers of parts.values()) {
      divided.push({ id: divided.length, peers });
      partOf.push(whole.id);
    }
  }
  return { classes: divided, partOf };
};

/** All that there are, not told apart yet. */
export const oneClass = (peers: readonly PolicyPeer[]): readonly PeerClass[] => {
  const [first, ...more] = peers;
  return first === undefined ? [] : [{ id: 0, peers: [first, ...more] }];
};
