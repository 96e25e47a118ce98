import { matchesSelector, type LabelSelector, type Labels } from '../../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { allOf, truthOf, unknown, type Truth } from './truth.ts';

/** The label that every namespace carries, set by the API server; manifests need not write it. */
export const namespaceNameLabel = 'kubernetes.io/metadata.name';

/**
 * Whether a namespace's labels match a selector. Of a namespace whose object is not there (manifests read offline, or no right
 * to read it) only the name is known: a selector that asks for another label is `unknown`.
 */
export const matchesNamespace = (selector: LabelSelector, namespace: string, namespaces: readonly KubernetesObject[]): Truth => {
  const object = namespaces.find(({ metadata }) => metadata.name === namespace);
  const named: Labels = { [namespaceNameLabel]: namespace };
  if (object !== undefined) return truthOf(matchesSelector(selector, { ...object.metadata.labels, ...named }));
  return allOf(
    singleRequirements(selector).map(([key, requirement]) =>
      key === namespaceNameLabel
        ? truthOf(matchesSelector(requirement, named))
        : unknown(`the labels of namespace ${namespace}, whose object is not there`),
    ),
  );
};

const singleRequirements = (selector: LabelSelector): readonly (readonly [string, LabelSelector])[] => [
  ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => [key, { matchLabels: { [key]: value } }] as const),
  ...(selector.matchExpressions ?? []).map((expression) => [expression.key, { matchExpressions: [expression] }] as const),
];
