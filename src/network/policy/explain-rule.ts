import {
  formatLabelSelector,
  matchesRequirements,
  type Labels,
  type Requirement,
  type Requirements,
} from '../../kubernetes/label-selector.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import type { AddressedPeer } from './addressed-peer.ts';
import { portSteps } from './algebra.ts';
import type { CompiledPorts, CompiledRule, Direction, PeerEntry } from './compiled-policy.ts';
import type { RuleFinding } from './engine.ts';
import { matchNamespace } from './match-entry.ts';
import type { MatchingContext } from './matching-context.ts';
import { matchPeers } from './pair.ts';
import { peerName, type PodPeer, type PolicyPeer } from './peer.ts';
import { valueAt } from './port-steps.ts';
import { both, no, unknown, yes, type Truth } from './truth.ts';

export interface RuleQuestion {
  readonly direction: Direction;
  readonly other: AddressedPeer;
  /** Whose port it is. */
  readonly destination: PolicyPeer;
  readonly port: number;
  readonly protocol: Protocol;
  readonly context: MatchingContext;
}

export interface ExplainedRule {
  readonly finding: RuleFinding;
  readonly truth: Truth;
  /** The peer matches, the port does not. */
  readonly isNearMiss: boolean;
}

/** Whether a rule lets a connection match, and why. */
export const explainRule = (rule: CompiledRule, question: RuleQuestion): ExplainedRule => {
  const { direction, other, context, protocol, port } = question;
  const peers = matchPeers(rule.peers, other, context);
  const ports = matchPort(rule.ports, question);
  const truth = both(peers, ports);
  const misses = [
    ...(peers.kind === 'no' ? [whyNotPeers(rule.peers.entries, other, context)] : []),
    ...(ports.kind === 'no' ? [whyNotPort(rule.ports, question)] : []),
  ];
  const why = {
    yes: () => `covers ${peerName(other.peer)} on ${protocol} ${port}`,
    no: () => misses.join('; '),
    unknown: () => `depends on ${dependsOn(truth)}`,
  }[truth.kind]();
  const pointer = `/spec/${direction.toLowerCase()}/${rule.index}`;
  return {
    finding: { rule: rule.index, pointer, matches: truth.kind, why },
    truth,
    isNearMiss: peers.kind === 'yes' && ports.kind === 'no',
  };
};

export const dependsOn = (truth: Truth): string => (truth.kind === 'unknown' ? truth.dependsOn() : '');

const matchPort = (ports: CompiledPorts, { destination, protocol, port }: RuleQuestion): Truth => {
  const names = destination.kind === 'pod' ? destination.namedPorts : [];
  const likelihood = valueAt(portSteps(ports, names), protocol, port);
  if (likelihood !== 1) return likelihood === 2 ? yes : no;
  return unknown(() => {
    const unclear = ports.entries === 'all' ? undefined : ports.entries.find(({ kind }) => kind === 'unclear');
    if (unclear?.kind === 'unclear') return unclear.what;
    return `the CNI: ${peerName(destination)} gives one name to several ports (${ports.text})`;
  });
};

const whyNotPort = (ports: CompiledPorts, { destination, protocol, port }: RuleQuestion): string => {
  const names = ports.entries === 'all' ? [] : ports.entries.flatMap((entry) => (entry.kind === 'name' ? [entry.name] : []));
  const meant = names.map((name) => {
    const numbers = destination.kind === 'pod' ? destination.namedPorts.filter((named) => named.name === name) : [];
    const stands = numbers.map((named) => `${named.protocol} ${named.port}`).join(' and ');
    return `${peerName(destination)} has ${stands === '' ? `no port named ${name}` : `${name} for ${stands}`}`;
  });
  return [`has ${ports.text} only, not ${protocol} ${port}`, ...meant].join('; ');
};

const whyNotPeers = (entries: readonly PeerEntry[], other: AddressedPeer, context: MatchingContext): string => {
  const whys = entries.map((entry) => whyNotEntry(entry, other, context));
  return whys.length === 1 ? whys.join('') : whys.map((why, index) => `entry ${index}: ${why}`).join('; ');
};

const whyNotEntry = (entry: PeerEntry, other: AddressedPeer, context: MatchingContext): string => {
  const { peer } = other;
  switch (entry.kind) {
    case 'pods':
      return peer.kind === 'address' ? `selects pods, and ${peer.address} is none` : whyNotPods(entry, peer, context);
    case 'addresses':
      return `${entry.text} does not cover ${peerName(peer)}`;
    case 'nodes':
      return `selects nodes${needs(entry.nodes)}, and ${peerName(peer)} is not at one of them`;
    case 'domainNames':
      return `names ${entry.names.join(', ')}, which stands for addresses outside the cluster`;
    case 'nobody':
      return 'has a peer in which no known field is set, so it matches nothing';
    case 'everyone':
    case 'unclear':
      return ''; // never no
  }
};

const whyNotPods = (entry: Extract<PeerEntry, { kind: 'pods' }>, peer: PodPeer, context: MatchingContext): string => {
  const { namespaces, pods } = entry;
  const inNamespace = matchNamespace(namespaces, peer.namespace, context).kind !== 'no';
  const missed = pods.filter((requirement) => !matchesRequirements([requirement], peer.labels));
  const reasons = [
    ...(inNamespace ? [] : [whyNotNamespace(entry, peer.namespace, context)]),
    ...missed.map((requirement) => whyNotLabel(requirement, peerName(peer), peer.labels)),
  ];
  if (reasons.length === 0) {
    const fact =
      entry.hostNetwork === 'never' ? 'which this kind never selects' : `which ${context.cni?.name ?? 'the CNI'} does not select`;
    return `${peerName(peer)} uses its node's network, ${fact}`;
  }
  const isHalf =
    namespaces.kind === 'selected' && pods.length > 0 && namespaces.requirements.length > 0 && (inNamespace || missed.length === 0);
  return `${reasons.join(' and ')}${isHalf ? ` (the ${inNamespace ? 'namespace' : 'pod'} matches, but both selectors of one entry have to)` : ''}`;
};

const whyNotNamespace = ({ namespaces }: Extract<PeerEntry, { kind: 'pods' }>, namespace: string, context: MatchingContext): string => {
  if (namespaces.kind === 'own')
    return `covers pods of its own namespace ${namespaces.namespace} only (no namespaceSelector), not of ${namespace}`;
  const labels = context.namespaceLabels(namespace) ?? { 'kubernetes.io/metadata.name': namespace };
  return namespaces.requirements
    .filter((requirement) => !matchesRequirements([requirement], labels))
    .map((requirement) => whyNotLabel(requirement, `namespace ${namespace}`, labels))
    .join(' and ');
};

/** `needs app=memory, pod poimen/x has app=other` */
const whyNotLabel = (requirement: Requirement, who: string, labels: Labels): string => {
  const { key } = requirement;
  const has = Object.hasOwn(labels, key) ? `${key}=${labels[key]}` : `no label ${key}`;
  return `needs ${formatRequirement(requirement)}, ${who} has ${has}`;
};

const needs = (requirements: Requirements): string =>
  requirements.length === 0 ? '' : ` with ${requirements.map(formatRequirement).join(',')}`;

const formatRequirement = ({ key, operator, values }: Requirement): string =>
  operator === 'Gt' || operator === 'Lt'
    ? `${key} ${operator} ${values.join()}`
    : formatLabelSelector({ matchExpressions: [{ key, operator, values }] });
