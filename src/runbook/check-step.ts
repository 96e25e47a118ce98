import { isJsonObject } from '../kubernetes/json.ts';
import { referenceKey } from '../kubernetes/reference.ts';
import type { JsonPath } from '../kubernetes/json-pointer.ts';
import { parseExpression, type Expression } from './cel/expression.ts';
import type { ObjectScope } from './cel/condition.ts';
import type { Findings } from './findings.ts';
import { nearestName } from '../errors/nearest-name.ts';
import type { DeclaredObject } from './objects.ts';
import { commonStepKeys, type StepShape } from './schema.ts';
import { objectFields } from './step-shapes.ts';

/** What a step is checked against, besides its own schema. */
export interface StepContext {
  readonly shapes: readonly StepShape[];
  readonly isExpansion: (shape: StepShape) => boolean;
  readonly objects: ReadonlyMap<string, DeclaredObject>;
  readonly conditions: () => ObjectScope;
  readonly findings: Findings;
  readonly onExpression: (expression: Expression) => void;
  readonly onObject: (name: string) => void;
}

/** Says what no schema can say: exactly one kind, names that exist, objects of the right kind, expressions that fit. */
export const checkStep = (step: Readonly<Record<string, unknown>>, path: JsonPath, context: StepContext): void => {
  const shapes = context.shapes.filter(({ name }) => Object.hasOwn(step, name));
  checkKindCount(step, shapes, path, context);
  for (const shape of shapes) {
    const input = step[shape.name];
    if (isJsonObject(input)) checkObjectNames(shape, input, [...path, shape.name], context);
    if (context.isExpansion(shape)) refuseCommonFields(shape, step, path, context.findings);
  }
  for (const field of ['when', 'postcondition']) {
    const source = step[field];
    if (typeof source === 'string' && source !== '') checkCondition(source, [...path, field], context);
  }
};

const checkKindCount = (
  step: Readonly<Record<string, unknown>>,
  shapes: readonly StepShape[],
  path: JsonPath,
  { findings, shapes: known }: StepContext,
): void => {
  const [first, second] = shapes;
  if (first !== undefined && second !== undefined) {
    findings.atKey([...path, second.name], {
      code: 'TwoStepKinds',
      message: `a step has one kind; this one has '${first.name}' and '${second.name}'`,
      expected: 'two steps',
    });
  }
  if (first !== undefined) return;
  const names = known.map(({ name }) => name);
  const unknown = unknownKeys(step, known);
  if (unknown.length === 0)
    findings.atValue(path, { code: 'NoStepKind', message: 'this step does not say what to do', expected: names.join(', ') });
  for (const key of unknown) {
    findings.atKey([...path, key], {
      code: 'UnknownStepKind',
      message: `unknown step '${key}'`,
      expected: names.join(', '),
      nearest: nearestName(key, [...names, ...commonStepKeys]),
    });
  }
};

export const unknownKeys = (step: Readonly<Record<string, unknown>>, shapes: readonly StepShape[]): readonly string[] =>
  Object.keys(step).filter((key) => !commonStepKeys.some((common) => common === key) && !shapes.some(({ name }) => name === key));

const refuseCommonFields = (shape: StepShape, step: Readonly<Record<string, unknown>>, path: JsonPath, findings: Findings): void => {
  for (const field of commonStepKeys) {
    if (field === 'id' || !Object.hasOwn(step, field)) continue;
    findings.atKey([...path, field], {
      code: 'MisplacedField',
      message: `'${shape.name}' stands for several steps and decides '${field}' for each of them`,
    });
  }
};

/** The fields that name objects: each exists, has a kind that fits, and no two name the same one. */
export const checkObjectNames = (
  shape: Pick<StepShape, 'input'>,
  input: Readonly<Record<string, unknown>>,
  path: JsonPath,
  context: Pick<StepContext, 'objects' | 'findings' | 'onObject'>,
): void => {
  const seen = new Map<string, string>();
  for (const [field, kinds] of objectFields(shape)) {
    const name = input[field];
    if (typeof name !== 'string') continue;
    const at = [...path, field];
    const object = context.objects.get(name);
    if (object === undefined) {
      const known = [...context.objects.keys()];
      context.findings.atValue(at, {
        code: 'UnknownObject',
        message: `there is no object '${name}' in 'objects'`,
        expected: known.join(', ') || 'an entry of objects',
        nearest: nearestName(name, known),
      });
      continue;
    }
    context.onObject(name);
    if (object.reference === undefined) continue;
    const { kind } = object.reference.resource;
    if (!kinds.includes(kind))
      context.findings.atValue(at, {
        code: 'WrongObjectKind',
        message: `'${name}' is a ${kind}; '${field}' does not take one`,
        expected: kinds.join(', '),
      });
    const other = seen.get(referenceKey(object.reference));
    if (other !== undefined) context.findings.atValue(at, { code: 'SameObject', message: `'${other}' and '${field}' are the same object` });
    seen.set(referenceKey(object.reference), field);
  }
};

const checkCondition = (source: string, path: JsonPath, context: StepContext): void => {
  const parsed = parseExpression(context.conditions(), source);
  if (parsed.kind === 'finding') {
    context.findings.inExpression(path, 0, parsed.finding);
    return;
  }
  const { expression } = parsed;
  context.onExpression(expression);
  if (expression.type !== 'bool' && expression.type !== 'dyn') {
    context.findings.inExpression(path, 0, {
      message: `this is a value of type ${expression.type}`,
      expected: 'a comparison: something that is true or false',
      start: 0,
      end: source.length,
    });
  }
  if (isNeverTrue(expression))
    context.findings.atValue(path, { severity: 'warning', code: 'NeverTrue', message: 'this can never be true' });
};

const isNeverTrue = (expression: Expression): boolean => {
  if (expression.names.size > 0) return false;
  try {
    return expression.evaluate({}) === false;
  } catch {
    return false; // it is an error each time it is asked, and will say so
  }
};
