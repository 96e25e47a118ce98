import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import { formatLabelSelector, matchesEqualities, type Labels } from '../kubernetes/label-selector.ts';
import { blocker } from './blockers.ts';
import type { Blocker } from './step-kind.ts';
import type { Workload } from './workload.ts';

/**
 * The selector that a Service needs in order to select `to`'s pods: the one that is given, else the workload's own `matchLabels`.
 * Never an empty one, which would be a blackout (argo-rollouts#4750).
 */
export const newSelectorOf = (
  to: ObjectReference,
  object: Workload,
  explicit: Labels | undefined,
): { readonly selector: Labels } | { readonly blocker: Blocker } => {
  const { matchLabels = {}, matchExpressions = [] } = object.spec.selector;
  if (explicit === undefined && matchExpressions.length > 0) {
    return {
      blocker: blocker(
        'SelectorNotExpressible',
        `${fullName(to)} selects its pods by ${formatLabelSelector(object.spec.selector)}; a Service knows equalities only`,
        'give the labels that the Service is to select: selector',
      ),
    };
  }
  const selector = explicit ?? matchLabels;
  const name = formatLabelSelector({ matchLabels: selector });
  if (Object.keys(selector).length === 0) {
    return {
      blocker: blocker(
        'SelectorEmpty',
        `the new selector is empty: the Service would select nothing`,
        'give the labels that the Service is to select: selector',
      ),
    };
  }
  if (!matchesEqualities(selector, object.spec.template.metadata?.labels)) {
    const labels = formatLabelSelector({ matchLabels: object.spec.template.metadata?.labels ?? {} });
    return {
      blocker: blocker(
        'SelectorMatchesNothing',
        `${name} does not select the pods of ${fullName(to)}, whose labels are ${labels || 'none'}`,
        'give labels that its pod template carries',
      ),
    };
  }
  return { selector };
};
