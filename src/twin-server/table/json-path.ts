import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';

/**
 * The part of kubectl's JSONPath that printer columns use: fields (`.spec.size`, `['a.b']`, `\.` for a dot in a name), indices, `[*]` and
 * filters that compare with a constant (`[?(@.type=="Ready")]`).
 *
 * Source: Kubernetes reference, "JSONPath Support"; client-go `util/jsonpath`.
 */
export type JsonPath = readonly JsonPathStep[];

type JsonPathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly path: JsonPath; readonly operator?: Operator; readonly value?: unknown };

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

const field = /^\.?((?:[^.[\]\\'"*()?@ ]|\\.)+)/;
const quoted = /^\.?\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/;
const index = /^\.?\[(-?\d+)\]/;
const all = /^\.?\[\*\]|^\.\*/;
const filter = /^\.?\[\?\(\s*@([^=!<>]*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*\)\]/;

/** `undefined` for what is not understood. */
export const parseJsonPath = (source: string): JsonPath | undefined => {
  const steps: JsonPathStep[] = [];
  let rest = source.replace(/^\$/, '');
  while (rest !== '' && rest !== '.') {
    const found = nextStep(rest);
    if (found === undefined) return undefined;
    steps.push(found.step);
    rest = rest.slice(found.length);
  }
  return steps;
};

const nextStep = (rest: string): { readonly step: JsonPathStep; readonly length: number } | undefined => {
  const [matchedField, name] = field.exec(rest) ?? [];
  if (matchedField !== undefined) return { step: { kind: 'field', name: unescape(name) }, length: matchedField.length };
  const [matchedQuote, single, double] = quoted.exec(rest) ?? [];
  if (matchedQuote !== undefined) return { step: { kind: 'field', name: unescape(single ?? double) }, length: matchedQuote.length };
  const [matchedIndex, number] = index.exec(rest) ?? [];
  if (matchedIndex !== undefined) return { step: { kind: 'index', index: Number(number) }, length: matchedIndex.length };
  const [matchedAll] = all.exec(rest) ?? [];
  if (matchedAll !== undefined) return { step: { kind: 'all' }, length: matchedAll.length };
  const [matchedFilter, inner = '', operator, constant] = filter.exec(rest) ?? [];
  const path = matchedFilter === undefined ? undefined : parseJsonPath(inner);
  if (matchedFilter === undefined || path === undefined) return undefined;
  const comparison = operator === undefined ? {} : { operator: operator as Operator, value: constantOf(constant ?? '') };
  return { step: { kind: 'filter', path, ...comparison }, length: matchedFilter.length };
};

const unescape = (name = ''): string => name.replaceAll(/\\(.)/g, '$1');

const constantOf = (text: string): unknown => {
  const [, double, single] = /^(?:"(.*)"|'(.*)')$/.exec(text) ?? [];
  if (double !== undefined || single !== undefined) return double ?? single;
  if (text === 'true' || text === 'false') return text === 'true';
  return Number(text);
};

/** Everything that the path leads to; nothing where something on the way is missing. */
export const evaluateJsonPath = (path: JsonPath, value: unknown): readonly unknown[] =>
  path.reduce<readonly unknown[]>((found, step) => found.flatMap((inner) => follow(step, inner)), [value]);

const follow = (step: JsonPathStep, value: unknown): readonly unknown[] => {
  switch (step.kind) {
    case 'field':
      return isJsonObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case 'index': {
      const item: unknown = isJsonArray(value) ? value.at(step.index) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'all':
      return isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    case 'filter':
      return isJsonArray(value) ? value.filter((item) => passes(step, item)) : [];
  }
};

const passes = ({ path, operator, value }: Extract<JsonPathStep, { kind: 'filter' }>, item: unknown): boolean => {
  const [left, ...more] = evaluateJsonPath(path, item);
  if (left === undefined) return false;
  if (operator === undefined) return true;
  if (more.length > 0 || typeof left !== typeof value) return false;
  switch (operator) {
    case '==':
      return left === value;
    case '!=':
      return left !== value;
    default:
      return isOrdered(operator, left, value);
  }
};

const isOrdered = (operator: '<' | '<=' | '>' | '>=', left: unknown, right: unknown): boolean => {
  if ((typeof left !== 'number' && typeof left !== 'string') || (typeof right !== 'number' && typeof right !== 'string')) return false;
  const isLess = left < right;
  if (operator.endsWith('=') && left === right) return true;
  return operator.startsWith('<') ? isLess : left > right;
};
