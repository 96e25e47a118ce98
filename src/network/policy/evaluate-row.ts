import type { Algebra } from './algebra.ts';
import type { CompiledPeers, CompiledPolicy, CompiledRule, Direction } from './compiled-policy.ts';
import { rulesOf } from './compiled-policy.ts';
import type { Decision, HalfDecision, Selected } from './decision.ts';
import type { Likelihood } from './outcome.ts';
import type { PolicyPeer } from './peer.ts';

/** Places of others in their list. */
export interface Matches {
  readonly surely: ArrayLike<number>;
  readonly perhaps: ArrayLike<number>;
}

/** Those at the other end. */
export interface Others {
  readonly size: number;
  readonly peerAt: (place: number) => PolicyPeer;
  readonly matching: (peers: CompiledPeers) => Matches;
  /** Places where the other end is the node on which the pod in question runs, or may be: the pod always reaches it, and it the pod. */
  readonly ownNodes: ReadonlyMap<number, Likelihood>;
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
 * What the policies of one end say of the connections with each of the others, on every port: numbers of `algebra.verdicts`, by place.
 * The one place where verdicts are made, for a single pair as for all.
 *
 * Source: Kubernetes, "Network Policies"; network-policy-api v0.3.0, ClusterNetworkPolicySpec `tier`.
 */
export const evaluateRow = (question: RowQuestion): Uint32Array => {
  const { decision, others, algebra } = question;
  let row = new Uint32Array(others.size).fill(algebra.open);
  if (decision.admin !== undefined) {
    row = decide(decision.admin, row, question);
    replace(row, algebra.afterTier);
  }
  if (decision.isolation !== undefined) row = isolate(decision.isolation, row, question);
  if (decision.baseline !== undefined) row = decide(decision.baseline, row, question);
  replace(row, algebra.verdictOf);
  return row;
};

const decide = (decision: Decision, current: Uint32Array<ArrayBuffer>, question: RowQuestion): Uint32Array<ArrayBuffer> => {
  const { algebra, others } = question;
  const alone = (of: Decision): Uint32Array<ArrayBuffer> => decide(of, new Uint32Array(others.size).fill(algebra.open), question);
  switch (decision.kind) {
    case 'sequence':
      return decision.of.reduce((row, next) => decide(next, row, question), current);
    case 'unordered':
      return merge(current, decision.of.map(alone).reduce((a, b) => merge(a, b, algebra.eitherFirst)), algebra.afterDecision);
    case 'policy': {
      const { policy, certain } = decision.selected;
      if (certain) return applyRules(policy, current, question);
      const perhaps = alone({ kind: 'policy', selected: { policy, certain: true } });
      replace(perhaps, algebra.ifAtAll);
      return merge(current, perhaps, algebra.afterDecision);
    }
  }
};

/** In order: the first that matches decides. */
const applyRules = (policy: CompiledPolicy, row: Uint32Array<ArrayBuffer>, question: RowQuestion): Uint32Array<ArrayBuffer> => {
  const { afterRule } = question.algebra;
  for (const rule of rulesOf(policy, question.direction) ?? []) apply(rule, row, afterRule[rule.action], question);
  return row;
};

/** All that isolate are one union: what a rule of any allows. */
const isolate = (
  isolation: readonly Selected[],
  current: Uint32Array<ArrayBuffer>,
  question: RowQuestion,
): Uint32Array<ArrayBuffer> => {
  const { algebra, others, direction } = question;
  const row = new Uint32Array(others.size).fill(algebra.no);
  for (const { policy } of isolation) {
    for (const rule of rulesOf(policy, direction) ?? []) apply(rule, row, algebra.union, question);
  }
  for (const [place, likelihood] of others.ownNodes)
    row[place] = algebra.union(row[place] ?? algebra.no, likelihood === 2 ? algebra.yes : algebra.perhaps);
  replace(row, algebra.isolated);
  if (isolation.every(({ certain }) => !certain)) replace(row, algebra.ifAtAll);
  return merge(current, row, algebra.afterDecision);
};

const apply = (
  { peers, ports }: CompiledRule,
  row: Uint32Array,
  combine: (current: number, matches: number) => number,
  { direction, subject, others, algebra }: RowQuestion,
): void => {
  const { surely, perhaps } = others.matching(peers);
  const onSubject = algebra.portsOf(ports, subject);
  const perPlace = ports.named && direction === 'Egress';
  const portsAt = (place: number): number => (perPlace ? algebra.portsOf(ports, others.peerAt(place)) : onSubject);
  replaceAt(row, surely, (current, place) => combine(current, portsAt(place)), perPlace);
  replaceAt(row, perhaps, (current, place) => combine(current, algebra.perhapsOn(portsAt(place))), perPlace);
};

/** Neighbours mostly have equal numbers: the last answer is kept, unless the place counts too. */
const replaceAt = (
  row: Uint32Array,
  places: ArrayLike<number>,
  next: (current: number, place: number) => number,
  byPlace: boolean,
): void => {
  let [last, result] = [-1, -1];
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? 0;
    const current = row[place] ?? 0;
    if (byPlace || current !== last) [last, result] = [current, next(current, place)];
    row[place] = result;
  }
};

const replace = (row: Uint32Array, next: (current: number) => number): void => {
  let [last, result] = [-1, -1];
  for (let place = 0; place < row.length; place++) {
    const current = row[place] ?? 0;
    if (current !== last) [last, result] = [current, next(current)];
    row[place] = result;
  }
};

const merge = (
  a: Uint32Array<ArrayBuffer>,
  b: Uint32Array<ArrayBuffer>,
  combine: (a: number, b: number) => number,
): Uint32Array<ArrayBuffer> => {
  let [lastA, lastB, result] = [-1, -1, -1];
  for (let place = 0; place < a.length; place++) {
    const [ofA, ofB] = [a[place] ?? 0, b[place] ?? 0];
    if (ofA !== lastA || ofB !== lastB) [lastA, lastB, result] = [ofA, ofB, combine(ofA, ofB)];
    a[place] = result;
  }
  return a;
};
