import { matchesRequirements, type Requirements } from '../../kubernetes/label-selector.ts';
import { coverageOf, everyAddress, familyOf, type AddressSet } from './address-set.ts';
import type { NamespaceChoice, PeerEntry } from './compiled-policy.ts';
import { namespaceNameLabel, type MatchingContext } from './matching-context.ts';
import type { AddressedPeer } from './addressed-peer.ts';
import { peerName, type PodPeer } from './peer.ts';
import { both, no, truthOf, unknown, yes, type Truth } from './truth.ts';

/** Whether one of a rule's alternatives, or a policy's subject, covers a peer. Source: each kind's API reference. */
export const matchEntry = (entry: PeerEntry, addressed: AddressedPeer, context: MatchingContext): Truth => {
  const { peer } = addressed;
  switch (entry.kind) {
    case 'everyone':
      return yes;
    case 'nobody':
      return no;
    case 'unclear':
      return unknown(() => entry.what);
    case 'pods': {
      if (peer.kind === 'address' || !matchesRequirements(entry.pods, peer.labels)) return no;
      const inNamespace = matchNamespace(entry.namespaces, peer.namespace, context);
      return peer.hostNetwork ? both(inNamespace, matchHostNetwork(entry.hostNetwork, peer, context)) : inNamespace;
    }
    case 'addresses':
      return matchAddresses(entry, addressed, context);
    case 'nodes':
      return matchNodes(entry.nodes, addressed, context);
    case 'domainNames':
      if (peer.kind === 'pod') return no;
      return unknown(() => `whether ${peer.address} belongs to ${entry.names.join(' or ')}`);
  }
};

/**
 * Of a namespace whose object is not there (manifests read offline, or no right to read it) only the name is known: a selector that asks
 * for another label is `unknown`.
 */
export const matchNamespace = (choice: NamespaceChoice, namespace: string, { namespaceLabels }: MatchingContext): Truth => {
  if (choice.kind === 'own') return truthOf(choice.namespace === namespace);
  const labels = namespaceLabels(namespace);
  if (labels !== undefined) return truthOf(matchesRequirements(choice.requirements, labels));
  const byName = choice.requirements.filter(({ key }) => key === namespaceNameLabel);
  if (!matchesRequirements(byName, { [namespaceNameLabel]: namespace })) return no;
  if (byName.length === choice.requirements.length) return yes;
  return unknown(() => `the labels of namespace ${namespace}, whose object is not there`);
};

/** Its packets carry the node's address, from which most plugins cannot tell whose they are. */
const matchHostNetwork = (kind: 'plugin' | 'never', peer: PodPeer, { cni }: MatchingContext): Truth => {
  if (kind === 'never') return no;
  if (cni?.selectsHostNetwork !== undefined) return truthOf(cni.selectsHostNetwork);
  return unknown(() => `the CNI: ${peerName(peer)} uses its node's network, and the API leaves open whether selectors match it`);
};

const matchAddresses = (
  { text, set, pods }: Extract<PeerEntry, { kind: 'addresses' }>,
  { peer, ranges }: AddressedPeer,
  { cni, family }: MatchingContext,
): Truth => {
  const covered = coverage(set, ranges, family);
  if (peer.kind === 'address') {
    if (covered !== 'some') return truthOf(covered === 'all');
    return unknown(() => `which address of ${peer.address} it is: ${text} covers a part of them`);
  }
  if (covered === 'none') return no;
  const fact = peer.hostNetwork ? cni?.ipBlockMatchesNodes : cni?.ipBlockMatchesPods;
  if (pods === 'plugin' && fact === undefined)
    return unknown(
      () => `the CNI: ${text} is meant for addresses outside the cluster, and whether it matches ${peerName(peer)} is left open`,
    );
  if (pods === 'plugin' && fact === false) return no;
  return covered === 'all' ? yes : unknown(() => `the address of ${peerName(peer)}: ${text} may cover it`);
};

/** Of one family. An address that is not known yet may be any. */
const coverage = (set: AddressSet, ranges: AddressedPeer['ranges'], family: MatchingContext['family']): 'all' | 'some' | 'none' => {
  if (ranges.length === 0) return coverageOf(set, [everyAddress[family]]);
  const own = ranges.filter((range) => familyOf(range) === family);
  return own.length === 0 ? 'none' : coverageOf(set, own);
};

/** Source: network-policy-api v0.3.0, ClusterNetworkPolicyEgressPeer `nodes`: the addresses in the status of the nodes. */
const matchNodes = (requirements: Requirements, { peer, ranges }: AddressedPeer, { nodes }: MatchingContext): Truth => {
  if (peer.kind === 'pod' && !peer.hostNetwork) return no;
  if (nodes === undefined) return unknown(() => `the labels of the nodes, which are not known`);
  const chosen = nodes.filter(({ labels }) => matchesRequirements(requirements, labels));
  if (peer.kind === 'pod' && peer.nodeName !== undefined && nodes.some(({ name }) => name === peer.nodeName))
    return truthOf(chosen.some(({ name }) => name === peer.nodeName));
  if (peer.kind === 'pod') return unknown(() => `the node of ${peerName(peer)}, or its labels, which are not known`);
  const coverages = chosen.map(({ addresses }) => coverageOf(ranges, addresses));
  if (coverages.every((part) => part === 'none')) return no;
  const single = ranges.every(([first, last]) => first === last);
  return single ? yes : unknown(() => `which address of ${peer.address} it is: some belong to nodes`);
};
