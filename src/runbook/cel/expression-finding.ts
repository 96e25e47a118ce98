import type { ASTNode } from '@marcbachmann/cel-js';
import { nearestName } from '../../errors/nearest-name.ts';
import type { Scope } from './expression.ts';

/** What is wrong with an expression; `start` and `end` count in its text. */
export interface ExpressionFinding {
  readonly message: string;
  readonly expected?: string | undefined;
  readonly nearest?: string | undefined;
  readonly start: number;
  readonly end: number;
}

type Words = Pick<ExpressionFinding, 'message' | 'expected' | 'nearest'>;

/** Says the library's parse and type errors in a runbook writer's terms, with the nearest name that exists. */
export const explainCelError = (scope: Scope, source: string, error: unknown): ExpressionFinding => {
  if (!isCelError(error)) return { message: error instanceof Error ? error.message : String(error), start: 0, end: source.length };
  const { start, end } = error.range ?? { start: 0, end: source.length };
  return { ...wordsFor(scope, error), start, end };
};

const wordsFor = (scope: Scope, { code, summary, node }: CelError): Words => {
  switch (code) {
    case 'unknown_variable':
      return unknownNameIn(scope, nameIn(summary));
    case 'no_such_key':
      return unknownFieldOf(scope, typeOfOperand(node), nameIn(summary));
    case 'no_such_overload':
      return unmatchedOperator(summary);
    case 'no_matching_overload':
      return unmatchedCall(scope, summary);
    case 'unexpected_token':
      return { message: summary.endsWith('EOF') ? 'the expression ends too early' : lowerFirst(summary) };
    default:
      return { message: lowerFirst(summary) };
  }
};

const unknownNameIn = (scope: Scope, name: string): Words => {
  const known = [...scope.variables.keys()];
  return { message: `unknown name '${name}' in the expression`, expected: known.join(', '), nearest: nearestName(name, known) };
};

export const unknownFieldOf = (scope: Scope, type: string | undefined, field: string): Words => {
  const fields = [...((type === undefined ? undefined : scope.fields.get(type))?.keys() ?? [])];
  const message =
    type === undefined
      ? `there is no field '${field}'`
      : type === 'inputs'
        ? `the runbook has no input '${field}'`
        : `${type} has no field '${field}'`;
  return { message, expected: fields.length === 0 ? undefined : fields.join(', '), nearest: nearestName(field, fields) };
};

/** `no such overload: int == string`, `no such overload: !int` */
const unmatchedOperator = (summary: string): Words => {
  const types = nameIn(summary);
  const [, left, binary, right] = /^(.+) (==|!=|<=?|>=?|in|[-+*/%]) (.+)$/.exec(types) ?? [];
  if (binary !== undefined) return { message: `'${binary}' does not go with ${left} and ${right}` };
  return { message: `'${types.charAt(0)}' does not go with ${types.slice(1)}` };
};

/** `found no matching overload for 'string.matchez(string)'` */
const unmatchedCall = (scope: Scope, summary: string): Words => {
  const [, name, parameters] = /'(?:[^'(]*\.)?(\w+)\((.*)\)'$/.exec(summary) ?? [];
  if (name === undefined) return { message: lowerFirst(summary) };
  const { functions } = scope.environment.getDefinitions();
  const own = functions.filter((definition) => definition.name === name);
  if (own.length === 0)
    return {
      message: `there is no function '${name}'`,
      nearest: nearestName(
        name,
        functions.map((definition) => definition.name),
      ),
    };
  return { message: `'${name}' does not take (${parameters ?? ''})`, expected: own.map((definition) => definition.signature).join('; ') };
};

interface CelError {
  readonly code: string;
  readonly summary: string;
  readonly range?: { readonly start: number; readonly end: number };
  readonly node?: ASTNode;
}

export const isCelError = (error: unknown): error is CelError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'summary' in error && typeof error.summary === 'string';

const nameIn = (summary: string): string => summary.slice(summary.indexOf(': ') + 2);

/** The checker leaves the type that it found on each node. */
const typeOfOperand = (node: ASTNode | undefined): string | undefined => {
  const operand: unknown = Array.isArray(node?.args) ? node.args[0] : undefined;
  const type: unknown = typeof operand === 'object' && operand !== null && 'checkedType' in operand ? operand.checkedType : undefined;
  return typeof type === 'object' && type !== null && 'name' in type && typeof type.name === 'string' ? type.name : undefined;
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
