import type { KubernetesObject } from './object.ts';
import { SelectorSyntaxError } from './label-selector-syntax.ts';

/** One condition on a field of an object, which reads as its text; an absent field reads as the empty text. */
export interface FieldRequirement {
  /** Dotted, as the API spells it: `metadata.name`, `status.phase`. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/**
 * Reads the API's text of a field selector: `metadata.name=clef-serve,status.phase!=Running`. In a value, a backslash takes
 * the special meaning from `\`, `,` and `=`.
 *
 * Which fields a resource can be selected by is the server's business. Throws `SelectorSyntaxError`.
 * Source: Kubernetes, "Field Selectors", and apimachinery's `fields.ParseSelector`.
 */
export const parseFieldSelector = (text: string): readonly FieldRequirement[] =>
  splitUnescaped(text).flatMap((term) => {
    if (term === '') return [];
    const match = /^([^=!]*?)(==|!=|=)(.*)$/s.exec(term);
    const [, field, operator, value] = match ?? [];
    if (field === undefined || field === '' || value === undefined) {
      throw new SelectorSyntaxError(text, `invalid selector: '${text}'; can't understand '${term}'`);
    }
    return [{ field, operator: operator === '!=' ? '!=' : '=', value: unescape(text, value) }];
  });

export const matchesFields = (selector: readonly FieldRequirement[], object: KubernetesObject): boolean =>
  selector.every(({ field, operator, value }) => (fieldText(object, field) === value) === (operator === '='));

const fieldText = (object: KubernetesObject, field: string): string => {
  let current: unknown = object;
  for (const key of field.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return '';
    current = Object.entries(current).find(([name]) => name === key)?.[1];
  }
  return typeof current === 'string' || typeof current === 'number' || typeof current === 'boolean' ? String(current) : '';
};

const splitUnescaped = (text: string): readonly string[] => text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];

const unescape = (text: string, value: string): string => {
  if (/(?<!\\)(?:\\\\)*=/s.test(value))
    throw new SelectorSyntaxError(text, 'invalid field selector: invalid unescaped character in value: =');
  const stray = /(?<!\\)(?:\\\\)*(\\[^\\,=]|\\$)/s.exec(value)?.[1];
  if (stray !== undefined) throw new SelectorSyntaxError(text, `invalid field selector: invalid escape sequence: ${stray}`);
  return value.replaceAll(/\\([\\,=])/g, '$1');
};
