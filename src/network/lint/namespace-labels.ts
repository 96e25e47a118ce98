import { nearestName } from '../../errors/nearest-name.ts';
import { formatLabelSelector, matchesSelector, type LabelSelector } from '../../kubernetes/label-selector.ts';
import { namespaceNameLabel } from '../policy/matching-context.ts';
import { isEmptySelector, rulesOf, type Check, type LintContext, type Warning } from './lint-context.ts';

/**
 * A namespaceSelector that no known namespace answers to. One that asks for a name alone may mean a namespace of somebody else: that is
 * said only when the name looks like that of a known one.
 */
export const namespaceLabelsNobodyCarries: Check = (policy, context) =>
  rulesOf(policy).flatMap(({ peers, peersPath }) =>
    peers.flatMap(({ namespaceSelector }, index): readonly Warning[] => {
      if (namespaceSelector === undefined || isEmptySelector(namespaceSelector) || context.inventory.namespaces.length === 0) return [];
      if ([...context.namespaces].some((name) => matchesSelector(namespaceSelector, context.namespaceLabels(name)))) return [];
      const warning = {
        code: 'NamespaceLabelNobodyCarries',
        path: [...peersPath, index, 'namespaceSelector'],
        message: `no namespace is labelled ${formatLabelSelector(namespaceSelector)}`,
      };
      const named = onlyName(namespaceSelector);
      if (named === undefined) return [{ ...warning, hint: hintFor(namespaceSelector, context) }];
      const nearest = nearestName(named, context.namespaces);
      return nearest === undefined ? [] : [{ ...warning, hint: `did you mean ${nearest}?` }];
    }),
  );

const onlyName = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string | undefined =>
  Object.keys(matchLabels).length === 1 && matchExpressions.length === 0 ? matchLabels[namespaceNameLabel] : undefined;

const hintFor = ({ matchLabels = {} }: LabelSelector, { namespaces }: LintContext): string => {
  const meant = Object.values(matchLabels).find((value) => namespaces.has(value));
  return meant === undefined
    ? `label the namespace, or select it by name: ${namespaceNameLabel}: NAME`
    : `every namespace carries ${namespaceNameLabel}: select it by ${namespaceNameLabel}: ${meant}`;
};
