import { z } from 'zod';
import { isJsonObject } from '../kubernetes/json.ts';
import { valueAt, type JsonPath } from '../kubernetes/json-pointer.ts';
import type { Finding } from './diagnostic.ts';
import { nearestName } from './nearest-name.ts';
import { metaOf, schemaAt, shapeOf } from './schema-at.ts';

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
  const expected = (expects === undefined ? undefined : expectation(expects)) ?? words(issue);

  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(expects, path, key));
  if (value === undefined && path.length > 0 && issue.code !== 'custom') return [missingField(path, expected)];
  switch (issue.code) {
    case 'invalid_type':
      return [{ code: 'WrongType', path, at: 'value', message: `${subject(path)} is ${typeName(value)}`, expected }];
    case 'invalid_value':
    case 'invalid_union': {
      const options = optionsOf(issue);
      if (options === undefined) return [{ code: 'WrongType', path, at: 'value', message: `${subject(path)} is ${typeName(value)}`, expected }];
      const nearest = typeof value === 'string' ? nearestName(value, options) : undefined;
      return [{ code: 'WrongValue', path, at: 'value', message: `${subject(path)} cannot be ${show(value)}`, expected: listed(options), nearest }];
    }
    case 'invalid_key':
      return [{ code: 'BadName', path, at: 'key', message: `'${String(path.at(-1))}' cannot be a name here`, expected: issue.issues[0]?.message }];
    case 'custom':
      return [{ code: 'WrongValue', path, at: 'value', message: issue.message }];
    default:
      return [{ code: 'WrongValue', path, at: 'value', message: `${subject(path)} cannot be ${show(value)}`, expected: issue.code === 'invalid_format' ? expected : words(issue) }];
  }
};

const unknownField = (schema: z.core.$ZodType | undefined, path: JsonPath, key: string): PlacedFinding => {
  const known = schema === undefined ? [] : Object.keys(shapeOf(schema) ?? {});
  return { code: 'UnknownField', path: [...path, key], at: 'key', message: `unknown field '${key}'`, expected: listed(known), nearest: nearestName(key, known) };
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

/** In the schema's own words: its `expects`, or what its pattern says when it is not met. */
const expectation = (schema: z.core.$ZodType): string | undefined => {
  const { expects, objectKinds } = metaOf(schema);
  if (typeof expects === 'string') return expects;
  if (objectKinds !== undefined) return "a name from 'objects'";
  if (!(schema instanceof z.ZodString)) return undefined;
  const issue = schema.safeParse('').error?.issues.find(({ code }) => code === 'invalid_format');
  return issue === undefined || issue.message.startsWith('Invalid') ? undefined : issue.message;
};

const optionsOf = (issue: z.core.$ZodIssue): readonly string[] | undefined => {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union' || !('options' in issue) || !Array.isArray(issue.options)) return undefined;
  return issue.options.map(String);
};

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
};

const words = (issue: z.core.$ZodIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return listed(issue.values.map(String));
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap((errors) => errors.slice(0, 1).map(words)).filter((word) => word !== undefined))].join(', or ') || listed(optionsOf(issue) ?? []);
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int' ? `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}` : 'something that is not empty';
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int' ? `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}` : `at most ${issue.maximum} of them`;
    case 'invalid_format':
      return issue.message;
    default:
      return undefined;
  }
};

export const typeName = (value: unknown): string => {
  if (value === undefined || value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'a mapping';
  if (typeof value === 'string') return value === '' ? 'empty' : `the text ${show(value)}`;
  return typeof value === 'boolean' ? String(value) : `the number ${String(value)}`;
};

export const show = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : 'this list';
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? 'empty' : 'this mapping';
  const text = String(value);
  return typeof value === 'string' ? `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'` : text;
};

const listed = (names: readonly string[]): string | undefined => (names.length === 0 ? undefined : names.join(', '));
