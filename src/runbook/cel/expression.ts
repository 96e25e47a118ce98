import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { explainCelError, unknownFieldOf, type ExpressionFinding } from './expression-finding.ts';
import type { KnownFields } from './messages.ts';

/** The names that expressions of one place in a runbook may use. */
export interface Scope {
  readonly environment: Environment;
  readonly fields: KnownFields;
  /** Types of the variables, by name. */
  readonly variables: ReadonlyMap<string, string>;
}

export interface Expression {
  readonly source: string;
  /** As CEL writes it: `bool`, `int`, `list<string>`, `dyn`. */
  readonly type: string;
  /** The variables that it names. */
  readonly names: ReadonlySet<string>;
  /** The inputs that it reads; all of them, if it uses `inputs` in another way than by a field. */
  readonly inputs: ReadonlySet<string> | 'all';
  /** Throws: see `evaluationMessage`. */
  evaluate(variables: Readonly<Record<string, unknown>>): unknown;
}

export type ParsedExpression =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'finding'; readonly finding: ExpressionFinding };

/** Reads an expression and checks its types against the scope. */
export const parseExpression = (scope: Scope, source: string): ParsedExpression => {
  let parsed: ParseResult;
  try {
    parsed = scope.environment.parse(source);
  } catch (error) {
    return { kind: 'finding', finding: explainCelError(scope, source, error) };
  }
  const nodes = [...nodesOf(parsed.ast)];
  const checked = parsed.check();
  if (!checked.valid) return { kind: 'finding', finding: explainCelError(scope, source, checked.error) };
  const misplacedHas = nodes.map((node) => checkHas(scope, node)).find((finding) => finding !== undefined);
  if (misplacedHas !== undefined) return { kind: 'finding', finding: misplacedHas };
  return {
    kind: 'expression',
    expression: {
      source,
      type: checked.type ?? 'dyn',
      names: new Set(nodes.flatMap((node) => (node.op === 'id' ? [node.args] : [])).filter((name) => scope.variables.has(name))),
      inputs: inputsRead(nodes),
      evaluate: (variables) => parsed(variables),
    },
  };
};

/** The node itself and everything in it, as it was written: macros are not expanded. */
function* nodesOf(node: ASTNode): Generator<ASTNode> {
  yield node;
  yield* nodesIn(node.args);
}

function* nodesIn(value: unknown): Generator<ASTNode> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  else if (isNode(value)) yield* nodesOf(value);
}

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

const inputsRead = (nodes: readonly ASTNode[]): Expression['inputs'] => {
  const isInputs = (node: ASTNode): boolean => node.op === 'id' && node.args === 'inputs';
  const fields = nodes.flatMap((node) => (node.op === '.' && isInputs(node.args[0]) ? [node.args[1]] : []));
  return nodes.filter(isInputs).length > fields.length ? 'all' : new Set(fields);
};

/** The library does not look into `has(...)`; a field that no object can have would just be absent for ever. */
const checkHas = (scope: Scope, node: ASTNode): ExpressionFinding | undefined => {
  if (node.op !== 'call' || node.args[0] !== 'has') return undefined;
  const chain: { readonly field: string; readonly node: ASTNode }[] = [];
  let current = node.args[1][0];
  while (current?.op === '.') {
    chain.unshift({ field: current.args[1], node: current });
    current = current.args[0];
  }
  if (current?.op !== 'id') return undefined;
  let type = scope.variables.get(current.args);
  for (const { field, node: access } of chain) {
    const fields = type === undefined ? undefined : scope.fields.get(type);
    if (type === undefined || fields === undefined) return undefined;
    if (!fields.has(field)) return { ...unknownFieldOf(scope, type, field), start: access.pos, end: access.end };
    type = fields.get(field);
  }
  return undefined;
};
