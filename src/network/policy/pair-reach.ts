import { commonFamilies, type AddressedPeer } from './addressed-peer.ts';
import type { AddressFamily } from './address-set.ts';
import type { Algebra } from './algebra.ts';
import type { Direction } from './compiled-policy.ts';
import { decisionOf, type HalfDecision } from './decision.ts';
import type { Half, PathQuestion, PathVerdict, Reach, Verdict } from './engine.ts';
import { evaluateRow } from './evaluate-row.ts';
import { explainHalf } from './explain-half.ts';
import { bothHalves, eitherFamily, verdicts } from './outcome.ts';
import { singleOther } from './pair.ts';
import { isSamePod, type PolicyPeer } from './peer.ts';
import type { PolicyIndex } from './policy-index.ts';
import { protocols, valueAt } from './port-steps.ts';
import type { ReachTable } from './reach-table.ts';
import type { Surroundings } from './surroundings.ts';

interface Pair {
  readonly client: AddressedPeer;
  readonly server: AddressedPeer;
  readonly families: readonly AddressFamily[];
}

interface EvaluatedHalf {
  readonly decision: HalfDecision;
  /** Numbers of `algebra.verdicts`, by family. */
  readonly steps: readonly number[];
}

/** Verdicts about two peers, in the world or not. */
export class PairReaches {
  private readonly index: PolicyIndex;
  private readonly surroundings: Surroundings;
  private readonly algebra: Algebra;
  private readonly reaches: ReachTable;

  constructor(index: PolicyIndex, surroundings: Surroundings, algebra: Algebra, reaches: ReachTable) {
    this.index = index;
    this.surroundings = surroundings;
    this.algebra = algebra;
    this.reaches = reaches;
  }

  reach(client: PolicyPeer, server: PolicyPeer): Reach {
    if (isSamePod(client, server)) return protocols.map((protocol) => ({ protocol, from: 1, to: 65_535, verdict: 'allowed' }));
    const pair = this.pairOf(client, server);
    const [egress, ingress] = [this.evaluate('Egress', pair), this.evaluate('Ingress', pair)];
    const both = pair.families.map((_family, index) => this.algebra.bothHalves(egress.steps[index] ?? 0, ingress.steps[index] ?? 0));
    return this.reaches.portsOf(both.reduce(this.algebra.eitherFamily));
  }

  path(question: PathQuestion): PathVerdict {
    const { client, server, port, protocol } = question;
    if (isSamePod(client, server)) {
      const half: Half = { verdict: 'allowed', isolatedBy: [], reason: 'a pod always reaches itself', findings: [] };
      return { verdict: 'allowed', egress: half, ingress: half };
    }
    const pair = this.pairOf(client, server);
    const [egress, ingress] = [this.evaluate('Egress', pair), this.evaluate('Ingress', pair)];
    const at = ({ steps }: EvaluatedHalf): readonly number[] =>
      steps.map((number) => valueAt(this.algebra.verdicts.at(number), protocol, port));
    const [lettingOut, lettingIn] = [at(egress), at(ingress)];
    const both = lettingOut.map((value, index) => bothHalves(value, lettingIn[index] ?? 0));
    return {
      verdict: verdictNamed(both.reduce(eitherFamily)),
      egress: this.explain('Egress', pair, egress, lettingOut, question),
      ingress: this.explain('Ingress', pair, ingress, lettingIn, question),
    };
  }

  private pairOf(client: PolicyPeer, server: PolicyPeer): Pair {
    const { addressed } = this.surroundings;
    const [from, to] = [addressed(client), addressed(server)];
    return { client: from, server: to, families: commonFamilies(from, to) };
  }

  private evaluate(direction: Direction, pair: Pair): EvaluatedHalf {
    const { algebra } = this;
    const [subject, other] = endsOf(direction, pair);
    const decision = decisionOf(this.index.selecting(subject, this.surroundings.context('IPv4')), direction);
    const steps = pair.families.map((family) => {
      const others = singleOther(subject.peer, other, this.surroundings.context(family), algebra);
      return evaluateRow({ decision, direction, subject: subject.peer, others, algebra }).rest;
    });
    return { decision, steps };
  }

  private explain(direction: Direction, pair: Pair, { decision }: EvaluatedHalf, values: readonly number[], question: PathQuestion): Half {
    const [subject, other] = endsOf(direction, pair);
    if (subject.peer.kind === 'address') {
      const reason = `${subject.peer.address} is not a pod: no policy speaks for it`;
      return { verdict: 'allowed', isolatedBy: [], reason, findings: [] };
    }
    const named = pair.families.map((family, index) => ({
      family,
      verdict: verdictNamed(values[index] ?? 0),
      context: this.surroundings.context(family),
    }));
    const { port, protocol, server } = question;
    return explainHalf({ direction, subject: subject.peer, other, destination: server, port, protocol, decision, verdicts: named });
  }
}

const endsOf = (direction: Direction, { client, server }: Pair): readonly [subject: AddressedPeer, other: AddressedPeer] =>
  direction === 'Egress' ? [client, server] : [server, client];

const verdictNamed = (value: number): Verdict => verdicts[value] ?? 'denied';
