import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '../../kubernetes/network-policy.ts';
import type { Direction } from '../policy/compiled-policy.ts';

/** A rule of either direction. */
export interface DirectedRule {
  readonly peers: readonly NetworkPolicyPeer[] | undefined;
  readonly ports: readonly NetworkPolicyPort[] | undefined;
}

export const rulesOf = ({ spec }: NetworkPolicy, direction: Direction): readonly DirectedRule[] =>
  direction === 'Ingress'
    ? (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from ?? undefined, ports: ports ?? undefined }))
    : (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to ?? undefined, ports: ports ?? undefined }));

export const ruleIn = (direction: Direction, { peers, ports }: DirectedRule): NetworkPolicyIngressRule | NetworkPolicyEgressRule => ({
  ...(peers === undefined ? {} : direction === 'Ingress' ? { from: peers } : { to: peers }),
  ...(ports === undefined ? {} : { ports }),
});

/** The policy with these rules in the direction. What a server adds to an object is left out: it is to be applied. */
export const withRules = (policy: NetworkPolicy, direction: Direction, rules: readonly DirectedRule[]): NetworkPolicy => {
  const { name, namespace, labels, annotations } = policy.metadata;
  const { 'kubectl.kubernetes.io/last-applied-configuration': _applied, ...kept } = annotations ?? {};
  return {
    apiVersion: policy.apiVersion,
    kind: policy.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(Object.keys(kept).length === 0 ? {} : { annotations: kept }),
    },
    spec: { ...policy.spec, [direction.toLowerCase()]: rules.map((rule) => ruleIn(direction, rule)) },
  };
};
