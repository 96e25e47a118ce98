import { Environment } from '@marcbachmann/cel-js/evaluator';
import { fullName, type ObjectReference } from '../../kubernetes/reference.ts';
import { siblingsOf } from '../../steps/selections.ts';
import { isDuration, type InputValue, type InputValues } from '../inputs.ts';
import type { Condition } from '../runbook.ts';
import type { Expression, Scope } from './expression.ts';
import { isCelError } from './expression-finding.ts';
import { typedKinds } from './kinds.ts';
import { CelMessage, durationFromMs, registerAnything, registerMessage, type KnownFields, type MessageCodec } from './messages.ts';

/** `dyn` is the type of an input whose declaration is wrong. */
const celTypes = {
  dyn: 'dyn',
  string: 'string',
  integer: 'int',
  number: 'double',
  boolean: 'bool',
  duration: 'google.protobuf.Duration',
} as const;

/** What expressions can read: the inputs, and every object by its name in the runbook. `kind` is absent where it depends on an input that is not set. */
export interface ScopeNames {
  readonly inputs: ReadonlyMap<string, keyof typeof celTypes>;
  readonly objects: ReadonlyMap<string, { readonly kind?: string }>;
}

export interface ObjectScope extends Scope {
  /** A live object as a value of its type; `undefined` stands for one that does not exist. */
  decodeObject(name: string, json: unknown): object;
}

/** For `when` and `postcondition`: objects are what the cluster has. */
export const conditionScope = (names: ScopeNames): ObjectScope => {
  const environment = new Environment({ homogeneousAggregateLiterals: false });
  const fields: KnownFields = new Map();
  const codecs = new Map<string, MessageCodec>();
  const objectTypes = new Map(
    [...names.objects].map(([name, { kind }]) => [name, kind !== undefined && Object.hasOwn(typedKinds, kind) ? kind : 'Object'] as const),
  );
  for (const type of new Set(objectTypes.values())) {
    const kind = typedKinds[type];
    codecs.set(type, kind === undefined ? registerAnything(environment, type) : registerMessage(environment, fields, type, kind));
    environment.registerOperator(`${type} == null`, (object: CelMessage) => object.isAbsent);
  }
  return {
    ...declare(environment, fields, names, objectTypes),
    decodeObject(name, json) {
      const codec = codecs.get(objectTypes.get(name) ?? '');
      if (codec === undefined) throw new Error(`no object ${name} in the scope`);
      return json === undefined ? codec.absent() : codec.decode(json);
    },
  };
};

const referenceFields = { name: 'string', namespace: 'string', kind: 'string' } as const;

/** For `${...}`: objects are what the runbook says of them, nothing is read from the cluster. */
export const templateScope = (names: ScopeNames): ObjectScope => {
  const environment = new Environment({ homogeneousAggregateLiterals: false });
  const fields: KnownFields = new Map();
  const codec = registerMessage(environment, fields, 'Reference', referenceFields);
  const objectTypes = new Map([...names.objects.keys()].map((name) => [name, 'Reference'] as const));
  return { ...declare(environment, fields, names, objectTypes), decodeObject: (_name, json) => codec.decode(json) };
};

const declare = (environment: Environment, fields: KnownFields, names: ScopeNames, objectTypes: ReadonlyMap<string, string>): Scope => {
  const inputs = new Map([...names.inputs].map(([name, type]) => [name, celTypes[type]] as const));
  registerInputs(environment, fields, inputs);
  const variables = new Map<string, string>([['inputs', 'inputs'], ...objectTypes]);
  for (const [name, type] of variables) environment.registerVariable(name, type);
  return { environment, fields, variables };
};

/** The values of the inputs, as the type `inputs` has them. */
class InputsMessage extends CelMessage {}

const registerInputs = (environment: Environment, fields: KnownFields, inputs: ReadonlyMap<string, string>): void => {
  environment.registerType('inputs', { ctor: InputsMessage, fields: Object.fromEntries(inputs) });
  fields.set('inputs', inputs);
};

/** Inputs without a value are left out. */
export const inputsVariable = (values: InputValues, types: ScopeNames['inputs']): object =>
  new InputsMessage(
    Object.fromEntries([...values].flatMap(([name, value]) => (value === undefined ? [] : [[name, celValue(value, types.get(name))]]))),
  );

const celValue = (value: InputValue, type: keyof typeof celTypes | undefined): unknown => {
  if (isDuration(value)) return durationFromMs(value.durationMs);
  return typeof value === 'number' && type === 'integer' ? BigInt(value) : value;
};

/** An expression that has been checked against the scope, as something that the engine can ask. */
export const createCondition = (
  expression: Expression,
  scope: ObjectScope,
  inputs: object,
  objects: ReadonlyMap<string, ObjectReference>,
): Condition => {
  const used = [...objects].filter(([name]) => expression.names.has(name));
  return {
    source: expression.source,
    reads: used.map(([, reference]) => siblingsOf(reference)),
    evaluate(state) {
      const found = used.map(([name, reference]) => ({ name, reference, json: state.get<unknown>(reference) }));
      const variables = { inputs, ...Object.fromEntries(found.map(({ name, json }) => [name, scope.decodeObject(name, json)])) };
      try {
        const value = expression.evaluate(variables);
        return typeof value === 'boolean'
          ? { kind: value ? 'true' : 'false' }
          : { kind: 'error', message: `${expression.source}: neither true nor false` };
      } catch (error) {
        const missing = found.filter(({ json }) => json === undefined).map(({ reference }) => `${fullName(reference)} does not exist`);
        return { kind: 'error', message: [`${expression.source}: ${evaluationMessage(error)}`, ...missing].join('; ') };
      }
    },
  };
};

/** The library throws errors of its own, and lets through what the functions of JavaScript throw: a bad pattern, a bad time zone. */
export const evaluationMessage = (error: unknown): string => {
  if (!isCelError(error)) return error instanceof Error ? error.message : String(error);
  return error.code === 'no_such_key'
    ? `${error.summary.slice(error.summary.indexOf(': ') + 2)} is not set; has(...) tells`
    : error.summary;
};
