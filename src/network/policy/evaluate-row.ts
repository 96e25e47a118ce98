import type { Algebra } from './algebra.ts';
import type { CompiledPeers, CompiledPolicy, CompiledPorts, CompiledRule, Direction } from './compiled-policy.ts';
import { rulesOf } from './compiled-policy.ts';
import type { Decision, HalfDecision, Selected } from './decision.ts';
import { combinePlaces, everywhere, mapPlaces, type PlaceValues } from './place-values.ts';
import type { PolicyPeer } from './peer.ts';

/** Those at the other end: a list, in which each has its place. */
export interface Others {
  /** Likelihoods. */
  readonly matching: (peers: CompiledPeers) => PlaceValues;
  /** Numbers of `algebra.steps`: what the ports are on each of them. */
  readonly portsOn: (ports: CompiledPorts) => PlaceValues;
  /** Likelihoods that the other end is the node of the pod in question: the pod always reaches it, and it the pod. */
  readonly ownNode: PlaceValues;
}

export interface RowQuestion {
  readonly decision: HalfDecision;
  readonly direction: Direction;
  /** The end whose policies are asked. */
  readonly subject: PolicyPeer;
  readonly others: Others;
  readonly algebra: Algebra;
}

/**
 * What the policies of one end say of the connections with each of the others, on every port: numbers of `algebra.verdicts`.
 * The one place where verdicts are made, for a single pair as for all.
 *
 * Source: Kubernetes, "Network Policies"; network-policy-api v0.3.0, ClusterNetworkPolicySpec `tier`.
 */
export const evaluateRow = (question: RowQuestion): PlaceValues => {
  const { decision, algebra } = question;
  let row = everywhere(algebra.open);
  if (decision.admin !== undefined) row = mapPlaces(decide(decision.admin, row, question), algebra.afterTier);
  if (decision.isolation !== undefined) row = combinePlaces(row, isolate(decision.isolation, question), algebra.afterDecision);
  if (decision.baseline !== undefined) row = decide(decision.baseline, row, question);
  return mapPlaces(row, algebra.verdictOf);
};

const decide = (decision: Decision, current: PlaceValues, question: RowQuestion): PlaceValues => {
  const { algebra } = question;
  const alone = (of: Decision): PlaceValues => decide(of, everywhere(algebra.open), question);
  switch (decision.kind) {
    case 'sequence':
      return decision.of.reduce((row, next) => decide(next, row, question), current);
    case 'unordered': {
      const either = decision.of.map(alone).reduce((a, b) => combinePlaces(a, b, algebra.eitherFirst));
      return combinePlaces(current, either, algebra.afterDecision);
    }
    case 'policy': {
      const { policy, certain } = decision.selected;
      if (certain) return applyRules(policy, current, question);
      const perhaps = mapPlaces(applyRules(policy, everywhere(algebra.open), question), algebra.ifAtAll);
      return combinePlaces(current, perhaps, algebra.afterDecision);
    }
  }
};

/** In order: the first that matches decides. */
const applyRules = (policy: CompiledPolicy, current: PlaceValues, question: RowQuestion): PlaceValues =>
  (rulesOf(policy, question.direction) ?? []).reduce(
    (row, rule) => combinePlaces(row, matchRule(rule, question), question.algebra.afterRule[rule.action]),
    current,
  );

/** All that isolate are one union: what a rule of any allows. */
const isolate = (isolation: readonly Selected[], question: RowQuestion): PlaceValues => {
  const { algebra, others, direction } = question;
  const rules = isolation.flatMap(({ policy }) => rulesOf(policy, direction) ?? []);
  const ownNode = mapPlaces(others.ownNode, (likelihood) => algebra.onPorts(likelihood, algebra.yes));
  const matches = rules.reduce((union, rule) => combinePlaces(union, matchRule(rule, question), algebra.union), ownNode);
  const decided = mapPlaces(matches, algebra.isolated);
  return isolation.some(({ certain }) => certain) ? decided : mapPlaces(decided, algebra.ifAtAll);
};

/** On which ports the rule matches each of the others. */
const matchRule = ({ peers, ports }: CompiledRule, { direction, subject, others, algebra }: RowQuestion): PlaceValues => {
  const matches = others.matching(peers);
  if (ports.named && direction === 'Egress') return combinePlaces(matches, others.portsOn(ports), algebra.onPorts);
  const onSubject = algebra.portsOf(ports, subject); // without names they are the same on every destination
  return mapPlaces(matches, (likelihood) => algebra.onPorts(likelihood, onSubject));
};
