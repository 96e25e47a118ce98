import type { AddressFamily } from './address-set.ts';
import type { PolicyWorld } from './engine.ts';
import { knownNodes, namespaceLabelsOf, type MatchingContext } from './matching-context.ts';

/** What stays the same when policies change. */
export interface Surroundings {
  readonly context: (family: AddressFamily) => MatchingContext;
  readonly isNodeAddress: (address: string) => boolean;
}

export const readSurroundings = ({ namespaces, nodes, peers, cni }: Omit<PolicyWorld, 'policies'>): Surroundings => {
  const common = { namespaceLabels: namespaceLabelsOf(namespaces), nodes: nodes === undefined ? undefined : knownNodes(nodes), cni };
  const contexts = { IPv4: { ...common, family: 'IPv4' }, IPv6: { ...common, family: 'IPv6' } } as const;
  const nodeAddresses = new Set<string>();
  for (const peer of peers) if (peer.kind === 'pod') for (const address of peer.nodeAddresses) nodeAddresses.add(address);
  return { context: (family) => contexts[family], isNodeAddress: (address) => nodeAddresses.has(address) };
};
