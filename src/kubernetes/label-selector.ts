import type { Requirement, Requirements } from './label-selector-syntax.ts';

export { parseLabelSelector, SelectorSyntaxError, type Requirement, type Requirements } from './label-selector-syntax.ts';

/**
 * A selector as objects carry it (Deployments, NetworkPolicies, PodDisruptionBudgets).
 *
 * Source: Kubernetes API reference, LabelSelector v1 meta.
 */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** An absent selector selects nothing, an empty one everything. */
export const matchesSelector = (selector: LabelSelector | undefined, labels: Labels | undefined): boolean =>
  selector !== undefined && matchesRequirements(requirementsOf(selector), labels);

/**
 * A Service's or ReplicationController's selector: a plain map. Unlike a LabelSelector, an empty one selects nothing: a
 * Service without selector has no pods of its own.
 */
export const matchesEqualities = (equalities: Labels | undefined, labels: Labels | undefined): boolean => {
  const wanted = Object.entries(equalities ?? {});
  return wanted.length > 0 && wanted.every(([key, value]) => labels?.[key] === value);
};

/** `NotIn` (and `!=`) also matches objects that do not carry the key. */
export const matchesRequirements = (requirements: Requirements, labels: Labels = {}): boolean =>
  requirements.every((requirement) =>
    matchesRequirement(requirement, Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined),
  );

const matchesRequirement = (requirement: Requirement, value: string | undefined): boolean => {
  switch (requirement.operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && requirement.values.includes(value);
    case 'NotIn':
      return value === undefined || !requirement.values.includes(value);
    case 'Gt':
    case 'Lt':
      return comparesAs(requirement.operator, value, requirement.values[0]);
  }
};

/** Integers only; anything else matches neither. Also used by node affinity, which has the same two operators. */
export const comparesAs = (operator: 'Gt' | 'Lt', value: string | undefined, bound: string | undefined): boolean => {
  if (value === undefined || bound === undefined || !isInteger(value) || !isInteger(bound)) return false;
  return operator === 'Gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
};

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

/** The API's text for a selector: `app=clef-serve,tier in (a,b)`. Empty for one that selects everything. */
export const formatLabelSelector = (selector: LabelSelector): string => requirementsOf(selector).map(formatRequirement).join(',');

/** The selector as a list, its equalities sorted by key. All have to hold. */
export const requirementsOf = (selector: LabelSelector): Requirements => [
  ...Object.entries(selector.matchLabels ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]): Requirement => ({ key, operator: 'In', values: [value] })),
  ...(selector.matchExpressions ?? []).map((expression): Requirement => ({ ...expression, values: expression.values ?? [] })),
];

const formatRequirement = ({ key, operator, values }: Requirement): string => {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
    case 'Gt':
      return `${key}>${values[0]}`;
    case 'Lt':
      return `${key}<${values[0]}`;
  }
};
