import type { AddressedPeer } from './addressed-peer.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { Selected } from './decision.ts';
import { getOrAdd } from './distinctions.ts';
import { matchEntry } from './match-entry.ts';
import type { MatchingContext } from './matching-context.ts';

/** Finds the policies that select one peer, without asking all. */
export interface PolicyIndex {
  readonly selecting: (peer: AddressedPeer, context: MatchingContext) => readonly Selected[];
}

export const indexPolicies = (policies: readonly CompiledPolicy[]): PolicyIndex => {
  const byNamespace = new Map<string, CompiledPolicy[]>();
  const clusterWide: CompiledPolicy[] = [];
  for (const policy of policies) {
    const { subject } = policy;
    if (subject.kind === 'pods' && subject.namespaces.kind === 'own')
      getOrAdd(byNamespace, subject.namespaces.namespace, () => []).push(policy);
    else clusterWide.push(policy);
  }
  return {
    selecting: (addressed, context) => {
      const { peer } = addressed;
      if (peer.kind === 'address') return []; // nobody's policies speak for it
      return [...(byNamespace.get(peer.namespace) ?? []), ...clusterWide].flatMap((policy): Selected[] => {
        const { kind } = matchEntry(policy.subject, addressed, context);
        return kind === 'no' ? [] : [{ policy, certain: kind === 'yes' }];
      });
    },
  };
};
