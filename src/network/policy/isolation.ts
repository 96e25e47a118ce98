import { matchesSelector } from '../../kubernetes/label-selector.ts';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../kubernetes/network-policy.ts';
import type { PodPeer } from './peer.ts';

export type Direction = 'Ingress' | 'Egress';

/** A rule of either direction: who is at the other end, and the ports of the destination. */
export interface DirectedRule {
  readonly peers: readonly NetworkPolicyPeer[] | null | undefined;
  readonly ports: readonly NetworkPolicyPort[] | null | undefined;
}

/** The policies that select the pod and speak about the direction: with one of them, only what a rule allows gets through. */
export const isolatingPolicies = (pod: PodPeer, direction: Direction, policies: readonly NetworkPolicy[]): readonly NetworkPolicy[] =>
  policies.filter(
    (policy) =>
      namespaceOf(policy) === pod.namespace &&
      directionsOf(policy).includes(direction) &&
      matchesSelector(policy.spec?.podSelector ?? {}, pod.labels),
  );

/**
 * Rules under a direction that this does not name are without effect.
 *
 * Source: Kubernetes API reference, NetworkPolicySpec `policyTypes`, and the API server's default for it: Ingress always,
 * Egress if there is an egress rule.
 */
export const directionsOf = ({ spec }: NetworkPolicy): readonly Direction[] => {
  const types = spec?.policyTypes ?? [];
  if (types.length > 0) return types;
  return (spec?.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
};

export const rulesOf = ({ spec }: NetworkPolicy, direction: Direction): readonly DirectedRule[] =>
  direction === 'Ingress'
    ? (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }))
    : (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }));

export const namespaceOf = (policy: NetworkPolicy): string => policy.metadata.namespace ?? 'default';

/** `llm-serving/llm-serving-ingress` */
export const policyName = (policy: NetworkPolicy): string => `${namespaceOf(policy)}/${policy.metadata.name}`;
