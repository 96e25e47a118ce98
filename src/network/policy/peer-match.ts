import { matchesSelector } from '../../kubernetes/label-selector.ts';
import type { NetworkPolicyPeer } from '../../kubernetes/network-policy.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { blockContains, type IpBlock } from './ip-block.ts';
import { matchesNamespace } from './namespace-labels.ts';
import { peerName, type PodPeer, type PolicyPeer } from './peer.ts';
import { allOf, anyOf, no, truthOf, unknown, yes, type Truth } from './truth.ts';

/**
 * Whether a rule's `from` or `to` covers the other end. An absent or empty list covers everyone. Entries are alternatives;
 * the two selectors of one entry have to hold both.
 *
 * Source: Kubernetes API reference, NetworkPolicyPeer; "Network Policies", "Behavior of to and from selectors".
 */
export const matchesPeers = (
  entries: readonly NetworkPolicyPeer[] | null | undefined,
  peer: PolicyPeer,
  policyNamespace: string,
  namespaces: readonly KubernetesObject[],
): Truth => {
  if (entries === undefined || entries === null || entries.length === 0) return yes;
  return anyOf(entries.map((entry) => matchesPeer(entry, peer, policyNamespace, namespaces)));
};

const matchesPeer = (
  entry: NetworkPolicyPeer,
  peer: PolicyPeer,
  policyNamespace: string,
  namespaces: readonly KubernetesObject[],
): Truth => {
  if (entry.ipBlock !== undefined) return matchesBlock(entry.ipBlock, peer);
  if (entry.podSelector === undefined && entry.namespaceSelector === undefined) {
    return unknown('an entry that names neither pods nor namespaces nor addresses, which the API server refuses');
  }
  if (peer.kind === 'address') return no;
  const selected = allOf([
    entry.namespaceSelector === undefined
      ? truthOf(peer.namespace === policyNamespace)
      : matchesNamespace(entry.namespaceSelector, peer.namespace, namespaces),
    entry.podSelector === undefined ? yes : truthOf(matchesSelector(entry.podSelector, peer.labels)),
  ]);
  return selected.kind !== 'no' && peer.hostNetwork ? hostNetworkDependence(peer) : selected;
};

/** Its packets carry the node's address, from which most CNIs cannot tell whose they are. */
const hostNetworkDependence = (peer: PodPeer): Truth =>
  unknown(`the CNI: ${peerName(peer)} uses its node's network, and the API leaves open whether selectors match it`);

const matchesBlock = (block: IpBlock, peer: PolicyPeer): Truth => {
  if (peer.kind === 'address') {
    const contained = blockContains(block, peer.address);
    return contained === undefined ? unknown(`the address range ${block.cidr}, which cannot be read`) : truthOf(contained);
  }
  const onCni = unknown(
    `the CNI: ipBlock ${block.cidr} is meant for addresses outside the cluster, and whether it matches ${peerName(peer)} is left open`,
  );
  const addresses = peer.hostNetwork ? [...peer.addresses, ...peer.nodeAddresses] : peer.addresses;
  if (addresses.length === 0) return onCni;
  return addresses.every((address) => blockContains(block, address) === false) ? no : onCni;
};
