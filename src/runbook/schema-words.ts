import { z } from 'zod';
import { metaOf, unwrap } from './schema-at.ts';

/** What a schema takes, in words: completes "expected: ..." in a diagnostic, and fills the reference page. */
export const describeSchema = (schema: z.core.$ZodType): string => {
  const { expects, objectKinds } = metaOf(schema);
  if (typeof expects === 'string') return expects;
  if (objectKinds !== undefined) return "a name from 'objects'";
  const inner = unwrap(schema);
  if (inner instanceof z.ZodString) return patternWords(inner) ?? 'text';
  if (inner instanceof z.ZodNumber) return numberWords(inner);
  if (inner instanceof z.ZodBoolean) return 'true or false';
  if (inner instanceof z.ZodEnum) return inner.options.join(', ');
  if (inner instanceof z.ZodLiteral) return [...inner.values].join(', ');
  if (inner instanceof z.ZodArray) return 'a list';
  if (inner instanceof z.ZodUnion && !(inner instanceof z.ZodDiscriminatedUnion)) return inner.options.map(describeSchema).join(', or ');
  return 'a mapping';
};

/** What a pattern says when it is not met, if it was given words of its own. */
const patternWords = (schema: z.ZodString): string | undefined => {
  const issue = schema.safeParse('').error?.issues.find(({ code }) => code === 'invalid_format');
  return issue === undefined || issue.message.startsWith('Invalid') ? undefined : issue.message;
};

const numberWords = (schema: z.ZodNumber): string => {
  const name = schema.isInt ? 'a whole number' : 'a number';
  const least = bound(schema, schema.minValue, 1);
  const most = bound(schema, schema.maxValue, -1);
  if (least !== undefined && most !== undefined) return `${name} from ${least} to ${most}`;
  if (least !== undefined) return `${name}, ${least} or more`;
  return most === undefined ? name : `${name}, ${most} or less`;
};

/** Whole numbers are bounded by what can be held exactly; that is not worth saying. A bound that is excluded itself gives way by one. */
const bound = (schema: z.ZodNumber, value: number | null, inwards: number): number | undefined => {
  if (value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return undefined;
  return schema.isInt && !schema.safeParse(value).success ? value + inwards : value;
};
