import { z } from 'zod';
import { isJsonObject } from '../kubernetes/json.ts';
import { valueAt, type JsonPath } from '../kubernetes/json-pointer.ts';

/** The schema without `optional`, `default` and the like around it. */
export const unwrap = (schema: z.core.$ZodType): z.core.$ZodType => {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodReadonly
  ) {
    inner = inner.def.innerType;
  }
  return inner instanceof z.ZodPipe ? unwrap(inner.def.in) : inner;
};

/** The fields of an object's schema; `undefined` for any other. */
export const shapeOf = (schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | undefined => {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? inner.shape : undefined;
};

export const metaOf = (schema: z.core.$ZodType): Readonly<Record<string, unknown>> => ({
  ...z.globalRegistry.get(unwrap(schema)),
  ...z.globalRegistry.get(schema),
});

/** The schema that judges the value at a path; of a discriminated union, the member that the value itself chooses. */
export const schemaAt = (schema: z.core.$ZodType, root: unknown, path: JsonPath): z.core.$ZodType | undefined => {
  let current: z.core.$ZodType | undefined = schema;
  for (const [index, key] of path.entries()) {
    if (current === undefined) return undefined;
    const inner: z.core.$ZodType = chosen(unwrap(current), valueAt(root, path.slice(0, index)));
    if (inner instanceof z.ZodObject) current = inner.shape[key];
    else if (inner instanceof z.ZodRecord) current = inner.valueType;
    else if (inner instanceof z.ZodArray) current = inner.element;
    else current = undefined;
  }
  return current === undefined ? undefined : chosen(unwrap(current), valueAt(root, path));
};

const chosen = (schema: z.core.$ZodType, value: unknown): z.core.$ZodType => {
  if (!(schema instanceof z.ZodDiscriminatedUnion) || !isJsonObject(value)) return schema;
  const { discriminator, options } = schema.def;
  return options.find((option) => isLiteral(shapeOf(option)?.[discriminator], value[discriminator])) ?? schema;
};

const isLiteral = (schema: z.core.$ZodType | undefined, value: unknown): boolean =>
  schema instanceof z.ZodLiteral && [...schema.values].some((literal) => literal === value);
