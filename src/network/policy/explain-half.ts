import type { Protocol } from '../../kubernetes/pod.ts';
import type { AddressFamily } from './address-set.ts';
import { rulesOf, type Direction } from './compiled-policy.ts';
import { askedInOrder, type HalfDecision, type Selected } from './decision.ts';
import type { Half, PolicyFinding, Verdict } from './engine.ts';
import { dependsOn, explainRule, type ExplainedRule, type RuleQuestion } from './explain-rule.ts';
import { onOwnNode } from './pair.ts';
import { peerName, type PodPeer } from './peer.ts';
import { policyName } from './policy-input.ts';

export interface HalfQuestion extends Omit<RuleQuestion, 'context'> {
  readonly subject: PodPeer;
  readonly decision: HalfDecision;
  /** What the evaluation says, of each family that a connection may use. */
  readonly verdicts: readonly { readonly family: AddressFamily; readonly verdict: Verdict; readonly context: RuleQuestion['context'] }[];
  readonly direction: Direction;
  readonly protocol: Protocol;
}

interface Asked {
  readonly selected: Selected;
  readonly name: string;
  readonly rules: readonly ExplainedRule[];
  readonly finding: PolicyFinding;
}

/** Puts a verdict into words; it does not make it. */
export const explainHalf = (question: HalfQuestion): Half => {
  const { decision, verdicts, subject, other, direction } = question;
  const [first] = verdicts;
  if (first === undefined) throw new Error('a half is asked for no address family');
  const asked = askedInOrder(decision).map((selected) => explainPolicy(selected, { ...question, context: first.context }));
  const isolatedBy = asked.filter(({ selected }) => selected.policy.tier === 'NetworkPolicy').map(({ name }) => name);
  const common = { isolatedBy, findings: asked.map(({ finding }) => finding) };
  if (new Set(verdicts.map(({ verdict }) => verdict)).size > 1) {
    const each = verdicts.map(({ verdict, family }) => `${verdict} over ${family}`).join(', ');
    return { ...common, verdict: 'depends', reason: `depends on the address family: ${each}` };
  }
  const ownNode = onOwnNode(subject, other.peer);
  switch (first.verdict) {
    case 'allowed':
      return { ...common, verdict: 'allowed', ...explainAllowed(asked, question, ownNode.kind === 'yes') };
    case 'denied':
      return { ...common, verdict: 'denied', ...explainDenied(asked, question) };
    case 'depends': {
      const { reason, ...where } = explainDepends(asked, question);
      const on = reason ?? (dependsOn(ownNode) || `the order of policies that select ${peerName(subject)} for ${direction.toLowerCase()}`);
      return { ...common, verdict: 'depends', ...where, reason: `depends on ${on}` };
    }
  }
};

const explainPolicy = (selected: Selected, question: RuleQuestion): Asked => {
  const { policy } = selected;
  const compiled = rulesOf(policy, question.direction) ?? [];
  const rules = compiled.map((rule) => explainRule(rule, question));
  const findings = rules.map(({ finding }) => finding);
  const decisive =
    policy.tier === 'NetworkPolicy'
      ? (findings.find(({ matches }) => matches === 'yes') ?? findings.find(({ matches }) => matches === 'unknown'))
      : findings.find(({ matches }) => matches !== 'no');
  const action = compiled.find(({ index }) => index === decisive?.rule)?.action;
  const words = { allow: 'allows', deny: 'denies', pass: 'passes' } as const;
  const sure = action === undefined ? 'none' : words[action];
  const says = decisive?.matches === 'unknown' || (!selected.certain && sure !== 'none') ? 'depends' : sure;
  return {
    selected,
    name: policyName(policy.input),
    rules,
    finding: { policy: policy.input, says, rules: findings, ...(decisive === undefined ? {} : { rule: decisive.rule }) },
  };
};

type Explained = Pick<Half, 'reason' | 'policy' | 'rule'>;

const explainAllowed = (asked: readonly Asked[], { direction, subject }: HalfQuestion, isOwnNode: boolean): Explained => {
  const half = direction.toLowerCase();
  const decided = deciding(asked);
  if (decided?.finding.says === 'allows') return { ...whereOf(decided), reason: `${decided.name} allows it (${ruleName(decided, half)})` };
  const isolating = asked.filter(({ selected }) => selected.policy.tier === 'NetworkPolicy');
  if (isolating.length > 0 && isOwnNode)
    return { reason: `a pod and its own node (${subject.nodeName ?? 'unknown'}) always reach each other` };
  const passed = asked.filter(({ finding }) => finding.says === 'passes').map((one) => `${one.name} passes it on (${ruleName(one, half)})`);
  const nobody = `no policy isolates ${peerName(subject)} for ${half}`;
  const silent = asked.length === 0 || passed.length > 0 ? '' : `, and no rule of ${namesOf(asked)} matches`;
  return { reason: [...passed, `${nobody}${silent}`].join('; ') };
};

const explainDenied = (asked: readonly Asked[], question: HalfQuestion): Explained => {
  const half = question.direction.toLowerCase();
  const decided = deciding(asked);
  if (decided?.finding.says === 'denies') return { ...whereOf(decided), reason: `${decided.name} denies it (${ruleName(decided, half)})` };
  const isolating = asked.filter(({ selected }) => selected.policy.tier === 'NetworkPolicy');
  const [only, ...more] = isolating;
  const verb = more.length === 0 ? 'isolates the pod and has' : 'isolate the pod and have';
  const nearMisses = isolating.flatMap(({ name, rules, selected }) =>
    rules.flatMap(({ isNearMiss, finding: { rule } }) => {
      const ports = rulesOf(selected.policy, question.direction)?.find(({ index }) => index === rule)?.ports.text;
      return isNearMiss ? [`${half} rule ${rule}${more.length === 0 ? '' : ` of ${name}`} has ${ports} only`] : [];
    }),
  );
  const closest = nearMisses.length === 0 ? '' : ` (${nearMisses.join('; ')})`;
  const what = `no rule for ${peerName(question.other.peer)} on ${question.protocol} ${question.port}`;
  return {
    ...(only === undefined || more.length > 0 ? {} : { policy: only.name }),
    reason: `${namesOf(isolating)} ${verb} ${what}${closest}`,
  };
};

/** Absent reason: not a rule, nor a selection. */
const explainDepends = (asked: readonly Asked[], { direction }: HalfQuestion): Partial<Explained> => {
  for (const one of asked) {
    const { finding, rules, selected } = one;
    if (!selected.certain) return { ...whereOf(one), reason: uncertainSelection(one) };
    const unknownRule = rules.find((rule) => rule.truth.kind === 'unknown' && rule.finding.rule === finding.rule);
    if (unknownRule !== undefined) return { ...whereOf(one), reason: dependsOn(unknownRule.truth) };
  }
  const rivals = asked.filter(({ finding }) => finding.says !== 'none' && finding.says !== 'depends');
  const rivalling = rivals.map((one) => `${one.name} ${one.finding.says} it (${ruleName(one, direction.toLowerCase())})`);
  if (new Set(rivals.map(({ finding }) => finding.says)).size < 2) return {};
  return { reason: `which policy goes first, which the API leaves open for equal priorities: ${rivalling.join(', ')}` };
};

const uncertainSelection = ({ name, selected }: Asked): string =>
  selected.policy.tier === 'NetworkPolicy'
    ? `the CNI: the pod uses its node's network, and the API leaves open whether ${name} selects it`
    : `whether ${name} selects the pod: its namespace's object is not there`;

/** The one that decides, where each says something sure. A pass leads to the next tier. */
const deciding = (asked: readonly Asked[]): Asked | undefined => {
  for (const tier of ['Admin', 'NetworkPolicy', 'Baseline'] as const) {
    const inTier = asked.filter(({ selected }) => selected.policy.tier === tier);
    const speaking = inTier.find(({ finding }) => finding.says !== 'none' && finding.says !== 'depends');
    if (speaking !== undefined && speaking.finding.says !== 'passes') return speaking;
    if (tier === 'NetworkPolicy' && inTier.length > 0) return undefined;
  }
  return undefined;
};

const whereOf = ({ name, finding: { rule } }: Asked): Pick<Half, 'policy' | 'rule'> => ({
  policy: name,
  ...(rule === undefined ? {} : { rule }),
});

const ruleName = ({ finding: { rule } }: Asked, half: string): string => `${half} rule ${rule}`;

const namesOf = (asked: readonly Asked[]): string => asked.map(({ name }) => name).join(' and ');
