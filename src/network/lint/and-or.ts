import { formatLabelSelector } from '../../kubernetes/label-selector.ts';
import { isEmptySelector, rulesOf, type Check, type Warning } from './lint-context.ts';

/**
 * `- namespaceSelector` and, as the next entry, `- podSelector`: an "or" where an "and" was meant, if the pods are in that namespace or are
 * none in the policy's own.
 *
 * Source: Kubernetes, "Network Policies", "Behavior of to and from selectors".
 */
export const andWrittenAsOr: Check = (policy, context) =>
  rulesOf(policy).flatMap(({ peers, peersPath }) =>
    peers.flatMap((entry, index): readonly Warning[] => {
      const { namespaceSelector, podSelector } = peers[index - 1] ?? {};
      if (namespaceSelector === undefined || podSelector !== undefined || isEmptySelector(namespaceSelector)) return [];
      if (entry.podSelector === undefined || entry.namespaceSelector !== undefined || isEmptySelector(entry.podSelector)) return [];
      const together = context.namedBy({ namespaceSelector, podSelector: entry.podSelector }, policy);
      if (together.length === 0 && context.namedBy(entry, policy).length > 0) return [];
      return [
        {
          code: 'AndWrittenAsOr',
          path: [...peersPath, index],
          message: `two entries: every pod of namespaces ${formatLabelSelector(namespaceSelector)}, or pods ${formatLabelSelector(entry.podSelector)} of the policy's own namespace`,
          hint: 'for pods that are both, make one entry of them: take the "-" before podSelector away',
        },
      ];
    }),
  );
