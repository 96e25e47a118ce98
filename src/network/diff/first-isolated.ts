import type { NetworkState } from '../matrix/network-state.ts';
import type { PolicyPeer } from '../policy/peer.ts';
import { policyName, type PolicyInput } from '../policy/policy-input.ts';

/** Kept for documentation: nobody's. Source: RFC 5737. */
const somebody: PolicyPeer = { kind: 'address', address: '192.0.2.1' };

/**
 * The workloads for whom a NetworkPolicy is the first of a direction: until now every port was open to them, from now on only what rules
 * allow. `poimen/poimen-memory[Deployment] for egress`
 */
export const firstIsolated = (policy: PolicyInput, before: NetworkState, after: NetworkState): readonly string[] => {
  if (policy.kind !== 'NetworkPolicy') return [];
  const namespace = policy.object.metadata.namespace ?? 'default';
  return after.inventory.peers
    .filter((workload) => workload.namespace === namespace)
    .flatMap(({ id, pods }) => {
      const [first] = pods;
      if (first === undefined) return [];
      const [then, now] = [isolationOf(before, first.peer), isolationOf(after, first.peer)];
      const isFirst = (half: 'ingress' | 'egress'): boolean => then[half].length === 0 && now[half].includes(policyName(policy));
      return (['ingress', 'egress'] as const).filter(isFirst).map((half) => `${id} for ${half}`);
    });
};

const isolationOf = (
  { engine }: NetworkState,
  pod: PolicyPeer,
): { readonly ingress: readonly string[]; readonly egress: readonly string[] } => ({
  ingress: engine.path({ client: somebody, server: pod, port: 1, protocol: 'TCP' }).ingress.isolatedBy,
  egress: engine.path({ client: pod, server: somebody, port: 1, protocol: 'TCP' }).egress.isolatedBy,
});
