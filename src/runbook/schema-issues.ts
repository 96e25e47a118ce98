import type { z } from 'zod';
import { isJsonArray, isJsonObject } from '../kubernetes/json.ts';
import { valueAt, type JsonPath } from '../kubernetes/json-pointer.ts';
import type { Finding } from './diagnostic.ts';
import { nearestName } from '../errors/nearest-name.ts';
import { schemaAt, shapeOf } from './schema-at.ts';
import { describeSchema } from './schema-words.ts';

/** A finding about a value, or about the key that it belongs to. */
export interface PlacedFinding extends Finding {
  readonly path: JsonPath;
  readonly at: 'key' | 'value';
}

/** What a schema has against a value, in words for someone who has never seen the schema. Empty when it has nothing. */
export const schemaFindings = (schema: z.core.$ZodType, value: unknown, issues: readonly z.core.$ZodIssue[]): readonly PlacedFinding[] =>
  issues.flatMap((issue) => describe(schema, value, issue));

const describe = (schema: z.core.$ZodType, root: unknown, issue: z.core.$ZodIssue): readonly PlacedFinding[] => {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  const value = valueAt(root, path);
  const expects = schemaAt(schema, root, path);
  const expected = extraWords(issue) ?? (expects === undefined ? undefined : describeSchema(expects));

  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(expects, path, key));
  if (value === undefined && path.length > 0 && issue.code !== 'custom') return [missingField(path, expected)];
  switch (issue.code) {
    case 'invalid_type':
      return [{ code: 'WrongType', path, at: 'value', message: `${subject(path)} is ${typeName(value)}`, expected }];
    case 'invalid_value':
    case 'invalid_union': {
      const options = optionsOf(issue);
      if (options === undefined)
        return [{ code: 'WrongType', path, at: 'value', message: `${subject(path)} is ${typeName(value)}`, expected }];
      const nearest = typeof value === 'string' ? nearestName(value, options) : undefined;
      return [
        { code: 'WrongValue', path, at: 'value', message: `${subject(path)} cannot be ${show(value)}`, expected: listed(options), nearest },
      ];
    }
    case 'invalid_key':
      return [
        { code: 'BadName', path, at: 'key', message: `'${String(path.at(-1))}' cannot be a name here`, expected: issue.issues[0]?.message },
      ];
    case 'custom':
      return [{ code: 'WrongValue', path, at: 'value', message: issue.message }];
    default:
      return [{ code: 'WrongValue', path, at: 'value', message: `${subject(path)} cannot be ${show(value)}`, expected }];
  }
};

const unknownField = (schema: z.core.$ZodType | undefined, path: JsonPath, key: string): PlacedFinding => {
  const known = schema === undefined ? [] : Object.keys(shapeOf(schema) ?? {});
  return {
    code: 'UnknownField',
    path: [...path, key],
    at: 'key',
    message: `unknown field '${key}'`,
    expected: listed(known),
    nearest: nearestName(key, known),
  };
};

const missingField = (path: JsonPath, expected: string | undefined): PlacedFinding => ({
  code: 'MissingField',
  path: path.slice(0, -1),
  at: 'key',
  message: `${subject(path)} is missing`,
  expected,
});

/** `'replicas'`, or `item 2 of 'steps'`. */
const subject = (path: JsonPath): string => {
  const last = path.at(-1);
  if (last === undefined) return 'the document';
  if (typeof last === 'string') return `'${last}'`;
  return path.length === 1 ? `item ${last + 1}` : `item ${last + 1} of ${subject(path.slice(0, -1))}`;
};

const optionsOf = (issue: z.core.$ZodIssue): readonly string[] | undefined => {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union' || !('options' in issue) || !Array.isArray(issue.options)) return undefined;
  return issue.options.map(String);
};

/** A bound or a form that the schema's own words do not tell. */
const extraWords = (issue: z.core.$ZodIssue): string | undefined => {
  if (issue.code === 'too_small' && issue.origin !== 'number' && issue.origin !== 'int') return 'something that is not empty';
  return issue.code === 'invalid_format' && issue.message.startsWith('Invalid')
    ? issue.message.slice(issue.message.indexOf(': ') + 2)
    : undefined;
};

const typeName = (value: unknown): string => {
  if (isJsonArray(value)) return 'a list';
  if (isJsonObject(value)) return 'a mapping';
  if (typeof value === 'string' && value !== '') return `the text ${show(value)}`;
  return typeof value === 'number' ? `the number ${value}` : show(value);
};

const show = (value: unknown): string => {
  if (isJsonArray(value)) return value.length === 0 ? 'empty' : 'this list';
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? 'empty' : 'this mapping';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value === '') return 'empty';
  return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`;
};

const listed = (names: readonly string[]): string | undefined => (names.length === 0 ? undefined : names.join(', '));
