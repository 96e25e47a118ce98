import { isJsonArray, isJsonObject } from '../kubernetes/json.ts';
import type { JsonPath } from '../kubernetes/json-pointer.ts';
import { parseExpression, type Expression } from './cel/expression.ts';
import { evaluationMessage, type ObjectScope } from './cel/condition.ts';
import { durationMsOf } from './cel/messages.ts';
import type { Findings } from './findings.ts';
import type { InputValues } from './inputs.ts';
import { parseTemplate, type TemplatePart } from './template.ts';

/** What `${...}` is filled in from, and where it is said what is wrong with it. */
export interface FillInContext {
  readonly scope: ObjectScope;
  /** Values of the scope's variables. Those that are not known yet are left out. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly inputs: InputValues;
  readonly findings: Findings;
  /** Told of every expression that is read. */
  readonly onExpression: (expression: Expression) => void;
}

/** A value whose `${...}` is filled in. */
export interface FilledIn {
  readonly value: unknown;
  /**
   * Places whose value is a stand-in: of the right type where an input is not set (`typed`), or nothing to judge by where the expression
   * itself is wrong (`broken`).
   */
  readonly standIns: readonly { readonly path: JsonPath; readonly kind: 'typed' | 'broken' }[];
}

/** Fills in every text of a value, in lists and mappings too. A text that is one `${...}` becomes what the expression gives, with its type. */
export const fillIn = (value: unknown, path: JsonPath, context: FillInContext): FilledIn => {
  const standIns: { path: JsonPath; kind: 'typed' | 'broken' }[] = [];
  const fill = (current: unknown, at: JsonPath): unknown => {
    if (typeof current === 'string') {
      const filled = fillText(current, at, context);
      if (filled.standIn !== undefined) standIns.push({ path: at, kind: filled.standIn });
      return filled.value;
    }
    if (isJsonArray(current)) return current.map((item, index) => fill(item, [...at, index]));
    if (isJsonObject(current)) return Object.fromEntries(Object.entries(current).map(([key, item]) => [key, fill(item, [...at, key])]));
    return current;
  };
  return { value: fill(value, path), standIns };
};

interface FilledText {
  readonly value: unknown;
  readonly standIn?: 'typed' | 'broken';
}

const fillText = (text: string, path: JsonPath, context: FillInContext): FilledText => {
  const template = parseTemplate(text);
  if (template.kind === 'unclosed') {
    context.findings.inExpression(path, template.start, {
      message: 'this ${ is never closed',
      expected: '}, or $${ for the text ${',
      start: 0,
      end: 2,
    });
    return { value: text, standIn: 'broken' };
  }
  const filled = template.parts.map((part) => fillPart(part, path, context));
  const standIn = filled.some((part) => part.standIn === 'broken') ? 'broken' : filled.find((part) => part.standIn !== undefined)?.standIn;
  const [only] = filled;
  const value = filled.length === 1 && only !== undefined ? only.value : joinParts(template.parts, filled, path, context);
  return value === undefined ? { value: text, standIn: 'broken' } : { value, ...(standIn === undefined ? {} : { standIn }) };
};

const fillPart = (part: TemplatePart, path: JsonPath, context: FillInContext): FilledText => {
  if (part.kind === 'text') return { value: part.text };
  const parsed = parseExpression(context.scope, part.source);
  if (parsed.kind === 'finding') {
    context.findings.inExpression(path, part.start, parsed.finding);
    return { value: '', standIn: 'broken' };
  }
  const { expression } = parsed;
  context.onExpression(expression);
  if (waitsForInput(expression, context))
    return { value: exampleOf(expression.type), standIn: expression.type === 'dyn' ? 'broken' : 'typed' };
  try {
    return { value: toJson(expression.evaluate(context.variables)) };
  } catch (error) {
    context.findings.inExpression(path, part.start, { message: evaluationMessage(error), start: 0, end: part.source.length });
    return { value: '', standIn: 'broken' };
  }
};

/** Whether a value that the expression needs is not there: an input that is not set, or an object named by one. */
const waitsForInput = (expression: Expression, { inputs, variables }: FillInContext): boolean => {
  const unset = [...inputs].filter(([, value]) => value === undefined).map(([name]) => name);
  const { inputs: read } = expression;
  return (
    (read === 'all' ? unset.length > 0 : unset.some((name) => read.has(name))) ||
    [...expression.names].some((name) => !Object.hasOwn(variables, name))
  );
};

/** A value of the type, to go on with where the real one is not known. */
const exampleOf = (type: string): unknown => {
  if (type === 'int' || type === 'double') return 1;
  if (type === 'bool') return true;
  return type === 'google.protobuf.Duration' ? '1m' : 'example';
};

const joinParts = (
  parts: readonly TemplatePart[],
  filled: readonly FilledText[],
  path: JsonPath,
  context: FillInContext,
): string | undefined => {
  let text = '';
  for (const [index, part] of parts.entries()) {
    const value = filled[index]?.value;
    if (typeof value === 'object' && part.kind === 'expression') {
      context.findings.inExpression(path, part.start, {
        message: 'a list, a mapping or null cannot be part of a text',
        start: 0,
        end: part.source.length,
      });
      return undefined;
    }
    text += String(value);
  }
  return text;
};

/** As a runbook would have written it. */
const toJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toJson);
  const durationMs = durationMsOf(value);
  if (durationMs !== undefined) return formatDurationText(durationMs);
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)])) : value;
};

/** `1h30m`, `90s` as `1m30s`, `250ms`, `0`. */
const formatDurationText = (durationMs: number): string => {
  const parts = [
    [Math.floor(durationMs / 3_600_000), 'h'],
    [Math.floor(durationMs / 60_000) % 60, 'm'],
    [Math.floor(durationMs / 1000) % 60, 's'],
    [durationMs % 1000, 'ms'],
  ] as const;
  return parts.map(([amount, unit]) => (amount === 0 ? '' : `${amount}${unit}`)).join('') || '0';
};
