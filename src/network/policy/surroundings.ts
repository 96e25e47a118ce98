import { addressedPeer, type AddressedPeer } from './addressed-peer.ts';
import type { AddressFamily } from './address-set.ts';
import type { PolicyWorld } from './engine.ts';
import { knownNodes, namespaceLabelsOf, type MatchingContext } from './matching-context.ts';
import type { PolicyPeer } from './peer.ts';

/** What stays the same when policies change. */
export interface Surroundings {
  readonly context: (family: AddressFamily) => MatchingContext;
  readonly isNodeAddress: (address: string) => boolean;
  /** Reads a peer's addresses once. */
  readonly addressed: (peer: PolicyPeer) => AddressedPeer;
}

export const readSurroundings = ({ namespaces, nodes, peers, cni }: Omit<PolicyWorld, 'policies'>): Surroundings => {
  const common = { namespaceLabels: namespaceLabelsOf(namespaces), nodes: nodes === undefined ? undefined : knownNodes(nodes), cni };
  const contexts = { IPv4: { ...common, family: 'IPv4' }, IPv6: { ...common, family: 'IPv6' } } as const;
  const nodeAddresses = new Set<string>();
  for (const peer of peers) if (peer.kind === 'pod') for (const address of peer.nodeAddresses) nodeAddresses.add(address);
  const known = new WeakMap<PolicyPeer, AddressedPeer>();
  const addressed = (peer: PolicyPeer): AddressedPeer => {
    const before = known.get(peer);
    if (before !== undefined) return before;
    const read = addressedPeer(peer);
    known.set(peer, read);
    return read;
  };
  return { context: (family) => contexts[family], isNodeAddress: (address) => nodeAddresses.has(address), addressed };
};
