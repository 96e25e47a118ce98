import { doubtsAbout, type Doubt } from '../inventory/doubt.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { hbonePort, isAmbient } from '../inventory/mesh.ts';
import { placeOf } from '../inventory/source-object.ts';
import type { Half, PathQuestion, PolicyFinding, Verdict } from '../policy/engine.ts';
import type { Direction } from '../policy/compiled-policy.ts';
import type { PolicyPeer } from '../policy/peer.ts';
import { policyKey, policyName, type PolicyInput } from '../policy/policy-input.ts';
import { parsePointer } from '../../kubernetes/json-pointer.ts';
import { worstOf, type HalfAnswer, type PolicyAnswer } from './answer.ts';
import type { QueryWorld } from './query-world.ts';

export interface JudgedPath {
  readonly verdict: Verdict;
  readonly egress: HalfAnswer;
  readonly ingress: HalfAnswer;
}

/** One new connection to a pod's own port: what the policies say, and what leaves that open. */
export const judgePath = ({ engine, inventory }: QueryWorld, question: PathQuestion): JudgedPath => {
  const { client, server } = question;
  const tunnelled = isTunnelled(question, inventory);
  const path = engine.path(tunnelled ? { ...question, port: hbonePort } : question);
  const egress = judgeHalf(path.egress, 'Egress', client, server, inventory);
  const ingress = judgeHalf(path.ingress, 'Ingress', server, client, inventory);
  return { verdict: worstOf([egress.verdict, ingress.verdict]), egress, ingress };
};

/** Between two pods of Istio's ambient mesh, policies see the tunnel's port and not the connection's. */
export const isTunnelled = ({ client, server, protocol }: PathQuestion, { namespaces }: Inventory): boolean =>
  protocol === 'TCP' && isAmbient(client, namespaces) && isAmbient(server, namespaces);

const judgeHalf = (half: Half, direction: Direction, subject: PolicyPeer, other: PolicyPeer, inventory: Inventory): HalfAnswer => {
  const { verdict } = half;
  const doubts = doubtsAbout(inventory.doubts, verdict, direction, subject, other);
  const policies = half.findings.map((finding) => policyAnswer(finding, inventory));
  const deciding = half.findings.find(({ policy, says }) => policyName(policy) === half.policy && says !== 'passes');
  const source = deciding === undefined ? undefined : findingPlace(deciding, half.rule, inventory);
  return {
    verdict: doubts.length > 0 ? 'depends' : verdict,
    ...(half.policy === undefined ? {} : { policy: half.policy }),
    ...(half.rule === undefined ? {} : { rule: half.rule }),
    ...(source === undefined ? {} : { source }),
    reason: doubts.length > 0 ? reasonWith(doubts, half) : half.reason,
    dependsOn: doubts.map(({ on }) => on),
    policies,
  };
};

const reasonWith = (doubts: readonly Doubt[], { verdict, reason }: Half): string =>
  verdict === 'depends' ? `${reason}; and ${dependence(doubts)}` : `${dependence(doubts)}; without that ${verdict}: ${reason}`;

const dependence = (doubts: readonly Doubt[]): string =>
  `depends on ${doubts.map(({ on, source }) => (source === undefined ? on : `${on} (${source})`)).join(' and ')}`;

const policyAnswer = (finding: PolicyFinding, inventory: Inventory): PolicyAnswer => {
  const { policy, says, rules } = finding;
  const source = findingPlace(finding, undefined, inventory);
  return {
    kind: policy.kind,
    policy: policyName(policy),
    says,
    ...(source === undefined ? {} : { source }),
    rules: rules.map(({ rule, matches, why, pointer }) => {
      const place = policyPlace(policy, parsePointer(pointer), inventory);
      return { rule, matches, why, ...(place === undefined ? {} : { source: place }) };
    }),
  };
};

/** Of the rule where one decides, else of the policy's name. */
const findingPlace = ({ policy, rules }: PolicyFinding, rule: number | undefined, inventory: Inventory): string | undefined => {
  const pointer = rules.find((candidate) => candidate.rule === rule)?.pointer;
  return policyPlace(policy, pointer === undefined ? ['metadata', 'name'] : parsePointer(pointer), inventory);
};

const policyPlace = (policy: PolicyInput, path: readonly string[], { policySources }: Inventory): string | undefined => {
  const source = policySources.get(policyKey(policy));
  return source === undefined ? undefined : placeOf(source, path);
};
