import type { NetworkPolicy } from '../../kubernetes/network-policy.ts';
import { deniedReason } from './explain.ts';
import type { HalfQuestion } from './half-question.ts';
import { isolatingPolicies, namespaceOf, policyName, rulesOf, type DirectedRule } from './isolation.ts';
import { peerName, isSamePod, type PodPeer, type PolicyPeer } from './peer.ts';
import { matchesPeers } from './peer-match.ts';
import { matchesPorts } from './port-match.ts';
import { allOf, type Truth } from './truth.ts';

export type Verdict = 'allowed' | 'denied' | 'depends';

/** What the policies of one end say: the client's about letting out, the server's about letting in. */
export interface Half {
  readonly verdict: Verdict;
  /** `namespace/name` of the policy that decided, where one alone did. */
  readonly policy?: string;
  /** Index of the rule in it that allows, or would. */
  readonly rule?: number;
  /** Every policy that isolates this end in this direction. */
  readonly isolatedBy: readonly string[];
  /** For a person: `llm-serving/llm-serving-ingress isolates the pod and has no rule for pod poimen/memory on TCP 8080`. */
  readonly reason: string;
}

/** Decides one half of a path. Source: Kubernetes, "Network Policies". */
export const evaluateHalf = (question: HalfQuestion): Half => {
  const { subject, other, direction } = question;
  if (subject.kind === 'address') return allowed(`${subject.address} is not a pod: no NetworkPolicy speaks for it`);
  if (isSamePod(subject, other)) return allowed('a pod always reaches itself');

  const isolating = isolatingPolicies(subject, direction, question.policies);
  const isolatedBy = isolating.map(policyName);
  if (isolating.length === 0) return allowed(`no policy isolates ${peerName(subject)} for ${direction.toLowerCase()}`);
  if (isOwnNode(subject, other)) return allowed(`a pod and its own node (${subject.nodeName}) always reach each other`, isolatedBy);
  if (subject.hostNetwork) {
    return depends(`the CNI: ${peerName(subject)} uses its node's network, and the API leaves open whether policies select it`, isolatedBy);
  }

  const answers = isolating.flatMap((policy) =>
    rulesOf(policy, direction).map((rule, index) => ({
      policy: policyName(policy),
      rule: index,
      truth: ruleAllows(question, policy, rule),
    })),
  );
  const allowing = answers.find(({ truth }) => truth.kind === 'yes');
  if (allowing !== undefined) {
    const reason = `${allowing.policy} allows it (${direction.toLowerCase()} rule ${allowing.rule})`;
    return { verdict: 'allowed', policy: allowing.policy, rule: allowing.rule, isolatedBy, reason };
  }
  for (const { policy, rule, truth } of answers) {
    if (truth.kind === 'unknown') return { ...depends(truth.dependsOn, isolatedBy), policy, rule };
  }
  if (mayBeOwnNode(subject, other))
    return depends(`whether ${peerName(other)} runs on the pod's own node, which always gets through`, isolatedBy);
  const [only, ...more] = isolatedBy;
  return {
    verdict: 'denied',
    ...(only === undefined || more.length > 0 ? {} : { policy: only }),
    isolatedBy,
    reason: deniedReason(question, isolating),
  };
};

const ruleAllows = (question: HalfQuestion, policy: NetworkPolicy, rule: DirectedRule): Truth => {
  const { direction, subject, other, port, protocol, namespaces } = question;
  const destination = direction === 'Ingress' ? subject : other;
  return allOf([matchesPeers(rule.peers, other, namespaceOf(policy), namespaces), matchesPorts(rule.ports, port, protocol, destination)]);
};

/** Source: Kubernetes, "Network Policies": traffic to and from the node where a pod is running is always allowed. */
const isOwnNode = (subject: PodPeer, other: PolicyPeer): boolean => {
  if (other.kind === 'address') return subject.nodeAddresses.includes(other.address);
  return other.hostNetwork && subject.nodeName !== undefined && other.nodeName === subject.nodeName;
};

const mayBeOwnNode = (subject: PodPeer, other: PolicyPeer): boolean =>
  other.kind === 'pod' && other.hostNetwork && (other.nodeName === undefined || subject.nodeName === undefined);

const allowed = (reason: string, isolatedBy: readonly string[] = []): Half => ({ verdict: 'allowed', isolatedBy, reason });

const depends = (on: string, isolatedBy: readonly string[]): Half => ({ verdict: 'depends', isolatedBy, reason: `depends on ${on}` });
