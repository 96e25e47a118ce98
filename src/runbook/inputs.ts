import { parseDuration } from '../kubernetes/duration.ts';
import type { Finding } from './diagnostic.ts';
import { nearestName } from '../errors/nearest-name.ts';
import type { InputDeclaration } from './schema.ts';

/** A duration as a value of its own: expressions compute with it, and it is written back as `5m`. */
export interface Duration {
  readonly durationMs: number;
}

export type InputValue = string | number | boolean | Duration;

/** What an input is worth; `undefined` where it is required and has not been set, which only `lint` accepts. */
export type InputValues = ReadonlyMap<string, InputValue | undefined>;

export const isDuration = (value: InputValue): value is Duration => typeof value === 'object';

/** About an input by its name; without one, about a `--set` that fits none. */
export interface InputFinding extends Finding {
  readonly input?: string;
}

/** Fills in what was set, then the defaults. A declaration that is `undefined` is wrong, and said to be so elsewhere. */
export const evaluateInputs = (
  declarations: Readonly<Record<string, InputDeclaration | undefined>>,
  set: Readonly<Record<string, string>>,
  required: boolean,
): { readonly values: InputValues; readonly findings: readonly InputFinding[] } => {
  const values = new Map<string, InputValue | undefined>();
  const findings: InputFinding[] = [];
  for (const [name, declaration] of Object.entries(declarations)) {
    if (declaration === undefined) {
      values.set(name, undefined);
      continue;
    }
    const text = Object.hasOwn(set, name) ? set[name] : undefined;
    const value = text === undefined ? defaultOf(declaration) : parseInput(declaration, text);
    values.set(name, value);
    if (text !== undefined && value === undefined) {
      findings.push({
        input: name,
        code: 'WrongInput',
        message: `--set ${name}=${text} does not fit the input '${name}'`,
        expected: expectationOf(declaration),
      });
    } else if (text === undefined && value === undefined && required) {
      findings.push({
        input: name,
        code: 'MissingInput',
        message: `the input '${name}' has to be set: --set ${name}=VALUE`,
        expected: expectationOf(declaration),
      });
    } else if (text === undefined && value !== undefined && !isOneOf(declaration, value)) {
      findings.push({
        input: name,
        code: 'WrongValue',
        message: `the default of '${name}' is none of its values`,
        expected: expectationOf(declaration),
      });
    }
  }
  for (const name of Object.keys(set)) {
    if (!Object.hasOwn(declarations, name)) findings.push(unknownInput(name, Object.keys(declarations)));
  }
  return { values, findings };
};

const unknownInput = (name: string, known: readonly string[]): InputFinding => ({
  code: 'UnknownInput',
  message: `--set ${name}: the runbook has no such input`,
  expected: known.length === 0 ? 'no input: the runbook has none' : known.join(', '),
  nearest: nearestName(name, known),
});

const defaultOf = (declaration: InputDeclaration): InputValue | undefined =>
  declaration.type === 'duration' && declaration.default !== undefined ? durationOf(declaration.default) : declaration.default;

const parseInput = (declaration: InputDeclaration, text: string): InputValue | undefined => {
  const value = parseAs(declaration.type, text);
  return value === undefined || !isOneOf(declaration, value) ? undefined : value;
};

const parseAs = (type: InputDeclaration['type'], text: string): InputValue | undefined => {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
      return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
    case 'number':
      return /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'duration':
      return durationOf(text);
  }
};

const durationOf = (text: string): Duration | undefined => {
  const durationMs = parseDuration(text);
  return durationMs === undefined ? undefined : { durationMs };
};

const isOneOf = (declaration: InputDeclaration, value: InputValue): boolean => {
  const allowed: readonly InputValue[] | undefined = 'enum' in declaration ? declaration.enum : undefined;
  return allowed === undefined || allowed.includes(value);
};

const typeExpectations = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  duration: 'a duration such as 90s, 5m or 1h30m',
} as const;

const expectationOf = (declaration: InputDeclaration): string =>
  'enum' in declaration && declaration.enum !== undefined ? declaration.enum.join(', ') : typeExpectations[declaration.type];
