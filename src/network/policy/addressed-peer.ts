import { familyOf, parseAddressRange, type AddressFamily, type AddressRange } from './address-set.ts';
import type { PolicyPeer } from './peer.ts';

/** A peer and its addresses, read once. */
export interface AddressedPeer {
  readonly peer: PolicyPeer;
  /** Empty for a pod that has none yet. A pod on the host's network has its node's, too. */
  readonly ranges: readonly AddressRange[];
}

export const addressedPeer = (peer: PolicyPeer): AddressedPeer => ({
  peer,
  ranges: addressesOf(peer).flatMap((address) => {
    const range = parseAddressRange(address);
    return range === undefined ? [] : [range];
  }),
});

const addressesOf = (peer: PolicyPeer): readonly string[] => {
  if (peer.kind === 'address') return [peer.address];
  return peer.hostNetwork ? [...peer.addresses, ...peer.nodeAddresses] : peer.addresses;
};

/** All, where none is known yet. */
export const familiesOf = ({ ranges }: AddressedPeer): readonly AddressFamily[] => {
  const found = new Set(ranges.map(familyOf));
  return found.size === 0 ? ['IPv4', 'IPv6'] : [...found].toSorted();
};

/**
 * Those that a connection between the two can use. Where they share none, an address keeps its own: policies speak of it even if no
 * connection came about.
 */
export const commonFamilies = (a: AddressedPeer, b: AddressedPeer): readonly AddressFamily[] => {
  const [ofA, ofB] = [familiesOf(a), familiesOf(b)];
  const shared = ofA.filter((family) => ofB.includes(family));
  if (shared.length > 0) return shared;
  if (a.peer.kind === 'address') return ofA;
  return b.peer.kind === 'address' ? ofB : ['IPv4', 'IPv6'];
};

/** A bit for IPv4, a bit for IPv6. */
export const familyBits = (families: readonly AddressFamily[]): number =>
  (families.includes('IPv4') ? 1 : 0) + (families.includes('IPv6') ? 2 : 0);
