import { z } from 'zod';
import { isJsonArray, isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import { commonStepKeys, runbookSchema } from './schema.ts';
import { stepShapes, type Vocabulary } from './step-shapes.ts';

/** What an editor accepts besides a value: an expression that gives one. */
const filledIn = { type: 'string', pattern: '\\$\\{' } as const;

/**
 * The schema of runbooks for editors: JSON Schema 2020-12, one property a step kind. It judges the file as it is written, so it lets `${...}` stand
 * for any value in a step; what is about names and expressions is left to `poimen lint`.
 */
export const runbookJsonSchema = (vocabulary: Vocabulary): JsonObject => {
  const generated: unknown = z.toJSONSchema(runbookSchema(stepShapes(vocabulary)), {
    target: 'draft-2020-12',
    io: 'input',
    override({ jsonSchema }) {
      delete jsonSchema['expects'];
      delete jsonSchema['objectKinds'];
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format; // zod's own word; the pattern says the same
      // Bounds of what can be held exactly.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  if (!isJsonObject(generated)) throw new Error('a JSON Schema is an object');
  return mapProperty(generated, 'properties', (properties) =>
    mapProperty(mapProperty(properties, 'watch', acceptExpressions), 'steps', (steps) =>
      mapProperty(steps, 'items', (step) => stepSchema(step, vocabulary)),
    ),
  );
};

const mapProperty = (schema: JsonObject, key: string, change: (value: JsonObject) => JsonObject): JsonObject => {
  const value = schema[key];
  return isJsonObject(value) ? { ...schema, [key]: change(value) } : schema;
};

/** Exactly one kind; and what an expansion decides by itself cannot stand beside it. */
const stepSchema = (step: JsonObject, { stepKinds, expansions }: Vocabulary): JsonObject => {
  const summaries = new Map([...stepKinds, ...expansions].map(({ name, summary }) => [name, summary]));
  const withExpressions = mapProperty(step, 'properties', (properties) =>
    Object.fromEntries(
      Object.entries(properties).map(([key, value]) => {
        const description = summaries.get(key);
        if (!isJsonObject(value) || (description === undefined && key !== 'deadline')) return [key, value];
        return [key, { ...(description === undefined ? {} : { description }), ...acceptExpressions(value) }];
      }),
    ),
  );
  const decided = commonStepKeys.filter((key) => key !== 'id');
  return {
    ...withExpressions,
    oneOf: [
      ...expansions.map(({ name }) => ({ required: [name], not: { anyOf: decided.map((key) => ({ required: [key] })) } })),
      ...stepKinds.map(({ name }) => ({ required: [name] })),
    ],
  };
};

/** Wherever a value is judged by more than being text, an expression may stand instead. */
const acceptExpressions = (schema: JsonObject): JsonObject => {
  const { description, title, default: initial, ...rules } = schema;
  const notes = Object.fromEntries(Object.entries({ title, description, default: initial }).filter(([, value]) => value !== undefined));
  if (isJsonObject(rules['properties'])) {
    const properties = Object.entries(rules['properties']).map(([key, value]) => [
      key,
      isJsonObject(value) ? acceptExpressions(value) : value,
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  }
  if (isJsonObject(rules['additionalProperties']))
    return { ...schema, additionalProperties: acceptExpressions(rules['additionalProperties']) };
  if (isJsonObject(rules['items'])) return { ...schema, items: acceptExpressions(rules['items']) };
  if (isJsonArray(rules['anyOf'])) return { ...schema, anyOf: [...rules['anyOf'], filledIn] };
  const anyText =
    rules['type'] === 'string' && rules['pattern'] === undefined && rules['enum'] === undefined && rules['const'] === undefined;
  return anyText ? schema : { ...notes, anyOf: [rules, filledIn] };
};
