import type { ClusterPolicyPeer, ClusterPolicySubject } from '../../kubernetes/cluster-network-policy.ts';
import { requirementsOf, type LabelSelector } from '../../kubernetes/label-selector.ts';
import { addressSet, parseCidr } from './address-set.ts';
import { allPorts } from './compile-ports.ts';
import type { CompiledPeers, CompiledPolicy, CompiledPorts, CompiledRule, PeerEntry } from './compiled-policy.ts';
import { everyone } from './everyone.ts';

interface Rule {
  readonly action: 'Accept' | 'Allow' | 'Deny' | 'Pass';
}

interface Rules<In extends Rule, Out extends Rule> {
  readonly ingress?: readonly (In & { readonly from: readonly ClusterPolicyPeer[] })[] | null | undefined;
  readonly egress?: readonly (Out & { readonly to: readonly ClusterPolicyPeer[] })[] | null | undefined;
}

const actions: Readonly<Record<string, CompiledRule['action']>> = { Accept: 'allow', Allow: 'allow', Deny: 'deny', Pass: 'pass' };

/** A direction without rules is not affected. */
export const compileClusterRules = <In extends Rule, Out extends Rule>(
  { ingress, egress }: Rules<In, Out>,
  compilePorts: (rule: In | Out) => CompiledPorts,
): Pick<CompiledPolicy, 'ingress' | 'egress'> => {
  const compileRule = (rule: In | Out, peers: readonly ClusterPolicyPeer[], isEgress: boolean, index: number): CompiledRule => {
    const action = actions[rule.action];
    if (action === undefined)
      return { index, action: 'deny', peers: unclear(`the unknown action ${rule.action}`), ports: compilePorts(rule) };
    const entries = peers.map((peer) => compilePeer(peer, isEgress));
    if (entries.some(({ kind }) => kind === 'nobody')) {
      // Source: network-policy-api, ClusterNetworkPolicyEgressPeer: "fail closed"
      if (action !== 'allow') return { index, action: 'deny', peers: everyone, ports: allPorts };
      return { index, action, peers: nobody, ports: compilePorts(rule) };
    }
    return { index, action, peers: { key: `cluster ${isEgress} ${JSON.stringify(peers)}`, entries }, ports: compilePorts(rule) };
  };
  return {
    ...((ingress ?? []).length === 0
      ? {}
      : { ingress: (ingress ?? []).map((rule, index) => compileRule(rule, rule.from ?? [], false, index)) }),
    ...((egress ?? []).length === 0 ? {} : { egress: (egress ?? []).map((rule, index) => compileRule(rule, rule.to ?? [], true, index)) }),
  };
};

const unclear = (what: string): CompiledPeers => ({ key: `unclear ${what}`, entries: [{ kind: 'unclear', what }] });

const nobody: CompiledPeers = { key: 'nobody', entries: [{ kind: 'nobody' }] };

/** Pods on the host's network are never a subject. */
export const compileSubject = (subject: ClusterPolicySubject | undefined): PeerEntry =>
  compilePods(subject ?? {}) ?? { kind: 'unclear', what: 'a subject in which no known field is set' };

/** `nobody`: a field that is not known here. */
const compilePeer = (peer: ClusterPolicyPeer, isEgress: boolean): PeerEntry => {
  const pods = compilePods(peer);
  if (pods !== undefined) return pods;
  if (!isEgress) return { kind: 'nobody' };
  if (peer.nodes !== undefined) return { kind: 'nodes', nodes: requirementsOf(peer.nodes) };
  if (peer.domainNames !== undefined) return { kind: 'domainNames', names: peer.domainNames };
  if (peer.networks !== undefined) return compileNetworks(peer.networks);
  return { kind: 'nobody' };
};

const compilePods = ({ namespaces, pods }: ClusterPolicySubject): PeerEntry | undefined => {
  if (namespaces !== undefined) return selected(namespaces, {});
  return pods === undefined ? undefined : selected(pods.namespaceSelector ?? {}, pods.podSelector ?? {});
};

const selected = (namespaces: LabelSelector, pods: LabelSelector): PeerEntry => ({
  kind: 'pods',
  namespaces: { kind: 'selected', requirements: requirementsOf(namespaces) },
  pods: requirementsOf(pods),
  hostNetwork: 'never',
});

const compileNetworks = (networks: readonly string[]): PeerEntry => {
  const ranges = networks.map((cidr) => ({ cidr, range: parseCidr(cidr) }));
  const unreadable = ranges.find(({ range }) => range === undefined);
  if (unreadable !== undefined) return { kind: 'unclear', what: `the address range ${unreadable.cidr}, which cannot be read` };
  return {
    kind: 'addresses',
    text: `networks ${networks.join(', ')}`,
    set: addressSet(ranges.flatMap(({ range }) => (range === undefined ? [] : [range]))),
    pods: 'covered',
  };
};
