import type { AddressedPeer } from './addressed-peer.ts';
import type { CompiledPeers, PeerEntry } from './compiled-policy.ts';
import type { Algebra } from './algebra.ts';
import type { Others } from './evaluate-row.ts';
import { matchEntry } from './match-entry.ts';
import type { MatchingContext } from './matching-context.ts';
import type { Likelihood } from './outcome.ts';
import { peerName, type PodPeer, type PolicyPeer } from './peer.ts';
import { everywhere } from './place-values.ts';
import { anyOf, no, unknown, yes, type Truth } from './truth.ts';

/** Matches of one peer alone. */
export const matchPeers = ({ entries }: CompiledPeers, other: AddressedPeer, context: MatchingContext): Truth =>
  anyOf(entries.map((entry: PeerEntry) => matchEntry(entry, other, context)));

/** A list of one: its place is the rest. */
export const singleOther = (subject: PolicyPeer, other: AddressedPeer, context: MatchingContext, algebra: Algebra): Others => ({
  matching: (peers) => everywhere(likelihoodOf(matchPeers(peers, other, context))),
  portsOn: (ports) => everywhere(algebra.portsOf(ports, other.peer)),
  ownNode: everywhere(likelihoodOf(onOwnNode(subject, other.peer))),
});

export const likelihoodOf = ({ kind }: Truth): Likelihood => (kind === 'yes' ? 2 : kind === 'unknown' ? 1 : 0);

/** Source: Kubernetes, "Network Policies": traffic to and from the node where a pod is running is always allowed. */
export const onOwnNode = (subject: PolicyPeer, other: PolicyPeer): Truth => {
  if (subject.kind === 'address') return no;
  if (other.kind === 'address') return subject.nodeAddresses.includes(other.address) ? yes : no;
  if (!other.hostNetwork || (subject.nodeName !== undefined && other.nodeName !== undefined && subject.nodeName !== other.nodeName))
    return no;
  return subject.nodeName !== undefined && other.nodeName !== undefined ? yes : mayBeOwnNode(other);
};

const mayBeOwnNode = (other: PodPeer): Truth =>
  unknown(() => `whether ${peerName(other)} runs on the pod's own node, which always gets through`);
