import { formatLabelSelector } from '../../kubernetes/label-selector.ts';
import type { Check } from './lint-context.ts';

/** Where no workload of the namespace is known, nothing can be said. */
export const selectsNothing: Check = (policy, context) => {
  const { namespace = 'default' } = policy.metadata;
  const known = context.workloadsIn(namespace);
  if (known.length === 0 || context.selectedBy(policy).length > 0) return [];
  return [
    {
      code: 'SelectsNothing',
      path: ['spec', 'podSelector'],
      message: `it selects no pod of ${namespace}: none is labelled ${formatLabelSelector(policy.spec?.podSelector ?? {})}`,
      hint: 'compare it with the labels of the pods (of the template, not of the Deployment)',
    },
  ];
};
