import { fieldsOf, itemsOf, numberOf, textOf, type JsonObject } from '../../twin/api/json.ts';

/** How cells spell what objects hold. Source: kubernetes `pkg/printers/internalversion`. */

export const fieldOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, field) => fieldsOf(inner)[field], value);

export const objectsOf = (value: unknown): readonly JsonObject[] => itemsOf(value).map(fieldsOf);

/** 0 where there is none: the server's own types have no other way to say so. */
export const countOf = (value: unknown): number => numberOf(value) ?? 0;

/** As Go prints a number or text that may be either, such as `25%` and `1`. */
export const wordOf = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : textOf(value));

export const orElse = (value: unknown, otherwise: string): string => textOf(value) || otherwise;

/** `app=clef,tier=model`, sorted by key. */
export const printLabels = (labels: unknown): string => {
  const pairs = Object.entries(fieldsOf(labels)).map(([key, value]) => `${key}=${String(value)}`);
  return pairs.length === 0 ? '<none>' : pairs.toSorted(byText).join(',');
};

/** Of a label selector; empty for one that selects everything, or nothing. */
export const printRequirements = (selector: unknown): string => {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const equalities = Object.entries(fieldsOf(matchLabels)).map(([key, value]) => ({ key, words: `${key}=${String(value)}` }));
  const expressions = objectsOf(matchExpressions).map((expression) => ({
    key: String(expression.key),
    words: printExpression(expression),
  }));
  return [...equalities, ...expressions]
    .toSorted((one, other) => byText(one.key, other.key))
    .map(({ words }) => words)
    .join(',');
};

const printExpression = ({ key, operator, values }: JsonObject): string => {
  const list = `(${itemsOf(values).map(String).toSorted(byText).join(',')})`;
  switch (operator) {
    case 'In':
      return `${String(key)} in ${list}`;
    case 'NotIn':
      return `${String(key)} notin ${list}`;
    case 'DoesNotExist':
      return `!${String(key)}`;
    default:
      return String(key);
  }
};

export const printSelector = (selector: unknown): string => printRequirements(selector) || '<none>';

/** The names, or the images, of the containers of a pod spec. */
export const printContainers = (podSpec: unknown, field: 'name' | 'image'): string =>
  objectsOf(fieldOf(podSpec, 'containers'))
    .map((container) => textOf(container[field]) ?? '')
    .join(',');

/** The first three, and how many more there are. */
export const printSome = (words: readonly string[], otherwise: string): string => {
  const shown = words.slice(0, 3).join(',');
  return words.length > 3 ? `${shown} + ${words.length - 3} more...` : shown || otherwise;
};

/** Addresses that a load balancer has given. */
export const printIngressPoints = (loadBalancer: unknown): string => {
  const points = objectsOf(fieldOf(loadBalancer, 'ingress')).map(({ ip, hostname }) => textOf(ip) || textOf(hostname) || '');
  return [...new Set(points.filter((point) => point !== ''))].toSorted(byText).join(',');
};

const shortModes = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' };

export const printAccessModes = (modes: unknown): string =>
  Object.entries(shortModes)
    .flatMap(([mode, short]) => (itemsOf(modes).includes(mode) ? [short] : []))
    .join(',');

/** Text in the order of its bytes. */
export const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
