import { isDeepStrictEqual } from 'node:util';
import { isJsonArray, isJsonObject, type JsonObject } from '../../src/kubernetes/json.ts';

/**
 * The part of JSON Schema 2020-12 that the published schemas use. Throws on a keyword that it does not know, so that nothing is
 * taken for valid which has not been looked at.
 *
 * Source: JSON Schema Validation 2020-12, section 6; Core 2020-12, section 10.
 */
export const violations = (schema: unknown, value: unknown, path = ''): readonly string[] => {
  if (schema === true) return [];
  if (schema === false) return [`${path}: not allowed`];
  if (!isJsonObject(schema)) throw new Error(`no schema: ${JSON.stringify(schema)}`);
  return Object.entries(schema).flatMap(([keyword, rule]) => check(keyword, rule, schema, value, path));
};

const annotations = new Set(['$schema', 'title', 'description', 'default']);

const check = (keyword: string, rule: unknown, schema: JsonObject, value: unknown, path: string): readonly string[] => {
  const fail = (reason: string): readonly string[] => [`${path}: ${reason}`];
  const matches = (candidate: unknown): boolean => violations(candidate, value, path).length === 0;
  switch (keyword) {
    case 'type':
      return [rule].flat().some((type) => typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer'))
        ? []
        : fail(`${typeOf(value)} instead of ${String(rule)}`);
    case 'const':
      return isDeepStrictEqual(value, rule) ? [] : fail(`not ${String(rule)}`);
    case 'enum':
      return isJsonArray(rule) && rule.some((item) => isDeepStrictEqual(item, value)) ? [] : fail('not one of the values');
    case 'pattern':
      return typeof value !== 'string' || new RegExp(String(rule), 'u').test(value) ? [] : fail(`does not match ${String(rule)}`);
    case 'minLength':
      return typeof value !== 'string' || value.length >= Number(rule) ? [] : fail('too short');
    case 'minItems':
      return !isJsonArray(value) || value.length >= Number(rule) ? [] : fail('too few');
    case 'minimum':
      return typeof value !== 'number' || value >= Number(rule) ? [] : fail('too small');
    case 'exclusiveMinimum':
      return typeof value !== 'number' || value > Number(rule) ? [] : fail('too small');
    case 'maximum':
      return typeof value !== 'number' || value <= Number(rule) ? [] : fail('too large');
    case 'required':
      return isJsonArray(rule) && isJsonObject(value)
        ? rule.filter((key) => !Object.hasOwn(value, String(key))).map((key) => `${path}: ${String(key)} is missing`)
        : [];
    case 'properties':
      if (!isJsonObject(value) || !isJsonObject(rule)) return [];
      return Object.entries(rule).flatMap(([key, inner]) =>
        Object.hasOwn(value, key) ? violations(inner, value[key], `${path}/${key}`) : [],
      );
    case 'additionalProperties': {
      const known = isJsonObject(schema['properties']) ? schema['properties'] : {};
      return isJsonObject(value)
        ? Object.entries(value).flatMap(([key, inner]) => (Object.hasOwn(known, key) ? [] : violations(rule, inner, `${path}/${key}`)))
        : [];
    }
    case 'propertyNames':
      return isJsonObject(value) ? Object.keys(value).flatMap((key) => violations(rule, key, `${path}/${key}`)) : [];
    case 'items':
      return isJsonArray(value) ? value.flatMap((item, index) => violations(rule, item, `${path}/${index}`)) : [];
    case 'anyOf':
      return isJsonArray(rule) && rule.some(matches) ? [] : fail('matches none');
    case 'oneOf':
      return isJsonArray(rule) && rule.filter(matches).length === 1 ? [] : fail('does not match exactly one');
    case 'not':
      return matches(rule) ? fail('matches what it must not') : [];
    default:
      if (annotations.has(keyword)) return [];
      throw new Error(`the keyword ${keyword} is not known here`);
  }
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};
