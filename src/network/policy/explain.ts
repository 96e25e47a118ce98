import type { NetworkPolicy } from '../../kubernetes/network-policy.ts';
import type { HalfQuestion } from './half-question.ts';
import { namespaceOf, policyName, rulesOf } from './isolation.ts';
import { peerName } from './peer.ts';
import { matchesPeers } from './peer-match.ts';
import { describePorts } from './port-match.ts';

/** Why nothing gets through: who isolates, and the rules that come closest (right peer, other ports). */
export const deniedReason = (question: HalfQuestion, isolating: readonly NetworkPolicy[]): string => {
  const { other, port, protocol } = question;
  const names = isolating.map(policyName).join(' and ');
  const verb = isolating.length === 1 ? 'isolates the pod and has' : 'isolate the pod and have';
  const nearMisses = isolating.flatMap((policy) => nearMissesOf(question, policy, isolating.length > 1));
  const closest = nearMisses.length === 0 ? '' : ` (${nearMisses.join('; ')})`;
  return `${names} ${verb} no rule for ${peerName(other)} on ${protocol} ${port}${closest}`;
};

const nearMissesOf = ({ direction, other, namespaces }: HalfQuestion, policy: NetworkPolicy, named: boolean): readonly string[] =>
  rulesOf(policy, direction).flatMap((rule, index) =>
    matchesPeers(rule.peers, other, namespaceOf(policy), namespaces).kind === 'yes'
      ? [`${direction.toLowerCase()} rule ${index}${named ? ` of ${policyName(policy)}` : ''} has ${describePorts(rule.ports)} only`]
      : [],
  );
