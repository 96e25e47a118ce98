import type { z } from 'zod';
import { isJsonArray, isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import { valueAt, type JsonPath } from '../kubernetes/json-pointer.ts';
import { parseYaml } from '../manifests/yaml.ts';
import { conditionScope, inputsVariable, templateScope, type ObjectScope, type ScopeNames } from './cel/condition.ts';
import type { Expression } from './cel/expression.ts';
import { checkObjectNames, checkStep, unknownKeys } from './check-step.ts';
import type { Finding } from './diagnostic.ts';
import { fillIn, type FillInContext, type FilledIn } from './fill-in.ts';
import { Findings } from './findings.ts';
import { evaluateInputs, type InputValues } from './inputs.ts';
import { readObjects, type DeclaredObject } from './objects.ts';
import { schemaFindings, type PlacedFinding } from './schema-issues.ts';
import { isIdentifier, runbookSchema, type InputDeclaration, type RunbookDocument } from './schema.ts';
import { stepShapes, type Vocabulary } from './step-shapes.ts';

export interface ReadOptions {
  readonly file: string;
  readonly text: string;
  readonly set: Readonly<Record<string, string>>;
  /** For references that say none. Absent: they are refused. */
  readonly namespace?: string | undefined;
  /** False: inputs without a default may be left unset, as `lint` does. */
  readonly requireInputs: boolean;
  readonly vocabulary: Vocabulary;
}

/** Everything that a runbook's text says, checked. */
export interface ReadRunbook {
  /** What is wrong, of all parts at once. */
  readonly findings: Findings;
  /** With `${...}` filled in; absent when the schema has something against it. */
  readonly document?: RunbookDocument;
  readonly objects: ReadonlyMap<string, DeclaredObject>;
  readonly inputs: { readonly values: InputValues; readonly variable: object };
  readonly conditions: () => ObjectScope;
}

/**
 * Reads a runbook's text. A part that is wrong does not keep the others from being checked: values that are not known are stood in for,
 * and what is said about a stand-in is dropped.
 */
export const readRunbook = (options: ReadOptions): ReadRunbook => {
  const yaml = parseYaml(options.text, options.file);
  const findings = new Findings(options.text, yaml);
  const root = isJsonObject(yaml.value) ? yaml.value : {};
  const used = new UsedNames();

  const shapes = stepShapes(options.vocabulary);
  const schema = runbookSchema(shapes.filter(({ name }) => isNamed(root, name))); // every schema costs at start: the others are not needed
  const declarations = usableDeclarations(fieldOf(root, 'inputs'), schema.shape.inputs.unwrap().valueType);
  const { values, findings: inputFindings } = evaluateInputs(declarations, options.set, options.requireInputs);
  for (const finding of inputFindings) findings.atKey(finding.input === undefined ? ['inputs'] : ['inputs', finding.input], finding);
  const inputTypes = new Map(Object.entries(declarations).map(([name, declaration]) => [name, declaration?.type ?? 'dyn'] as const));
  const variable = inputsVariable(values, inputTypes);

  const fillContext = (scope: ObjectScope, variables: FillInContext['variables']): FillInContext => ({
    scope,
    variables: { inputs: variable, ...variables },
    inputs: values,
    findings,
    onExpression: (expression) => used.add(expression),
  });
  const objects = readObjects(
    fieldOf(root, 'objects'),
    options.namespace,
    fillContext(templateScope({ inputs: inputTypes, objects: new Map() }), {}),
  );
  const names: ScopeNames = { inputs: inputTypes, objects: kindsOf(objects) };

  const templates = templateScope(names);
  const filled = fillInSteps(root, fillContext(templates, referenceVariables(objects, templates)));
  const judged = isJsonObject(yaml.value) ? filled.value : yaml.value;
  const parsed = schema.safeParse(judged, { jitless: true }); // compiling a schema does not pay for one text
  const aboutSteps = isJsonArray(filled.value.steps) ? filled.value.steps : [];
  for (const finding of schemaFindings(schema, judged, parsed.error?.issues ?? [])) {
    if (judged === undefined) break; // no YAML, which has been said
    const restated = aboutStandIn(finding, filled);
    if (restated === undefined || isAboutUnknownKind(finding, aboutSteps, options.vocabulary)) continue;
    if (finding.at === 'key') findings.atKey(finding.path, restated);
    else findings.atValue(finding.path, restated);
  }

  const conditions = once(() => conditionScope(names));
  const onObject = (name: string): void => void used.names.add(name);
  checkObjectNames({ input: schema.shape.watch }, fieldOf(filled.value, 'watch'), ['watch'], { objects, findings, onObject });
  const ids = new Map<string, number>();
  for (const [index, step] of aboutSteps.entries()) {
    if (!isJsonObject(step)) continue;
    checkId(step, index, ids, findings);
    checkStep(step, ['steps', index], {
      shapes,
      isExpansion: ({ name }) => options.vocabulary.expansions.some((expansion) => expansion.name === name),
      objects,
      conditions,
      findings,
      onExpression: (expression) => used.add(expression),
      onObject,
    });
  }
  if (!findings.hasErrors) warnOfUnused(declarations, objects, used, findings);
  return { findings, ...(parsed.data === undefined ? {} : { document: parsed.data }), objects, inputs: { values, variable }, conditions };
};

const fieldOf = (root: JsonObject, field: string): JsonObject => {
  const value = Object.hasOwn(root, field) ? root[field] : undefined;
  return isJsonObject(value) ? value : {};
};

/** Whether some step of the document has the key. */
const isNamed = (root: JsonObject, name: string): boolean =>
  isJsonArray(root['steps']) && root['steps'].some((step) => isJsonObject(step) && Object.hasOwn(step, name));

/** The declarations that can be called by their name; `undefined` is one that the schema has something against. */
const usableDeclarations = (
  declared: JsonObject,
  schema: z.ZodType<InputDeclaration>,
): Readonly<Record<string, InputDeclaration | undefined>> =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, value]) =>
      isIdentifier(name) ? [[name, schema.safeParse(value, { jitless: true }).data]] : [],
    ),
  );

const kindsOf = (objects: ReadonlyMap<string, DeclaredObject>): ScopeNames['objects'] =>
  new Map(
    [...objects].flatMap(([name, { reference }]) =>
      isIdentifier(name) ? [[name, reference === undefined ? {} : { kind: reference.resource.kind }]] : [],
    ),
  );

const referenceVariables = (objects: ReadonlyMap<string, DeclaredObject>, scope: ObjectScope): Readonly<Record<string, object>> =>
  Object.fromEntries(
    [...objects].flatMap(([name, { reference }]) =>
      reference === undefined || !isIdentifier(name)
        ? []
        : [[name, scope.decodeObject(name, { name: reference.name, namespace: reference.namespace, kind: reference.resource.kind })]],
    ),
  );

type FilledRoot = { readonly value: JsonObject } & Pick<FilledIn, 'standIns'>;

/** Fills in what may hold `${...}`: steps, except for their id and conditions, which are expressions already, and `watch`. */
const fillInSteps = (root: JsonObject, context: FillInContext): FilledRoot => {
  const standIns: FilledIn['standIns'][number][] = [];
  const fill = (value: unknown, path: JsonPath): unknown => {
    const filled = fillIn(value, path, context);
    standIns.push(...filled.standIns);
    return filled.value;
  };
  const fillStep = (step: unknown, index: number): unknown =>
    isJsonObject(step)
      ? Object.fromEntries(
          Object.entries(step).map(([key, value]) => [
            key,
            ['id', 'when', 'postcondition'].includes(key) ? value : fill(value, ['steps', index, key]),
          ]),
        )
      : step;
  const value = Object.fromEntries(
    Object.entries(root).map(([key, field]) => {
      if (key === 'steps' && isJsonArray(field)) return [key, field.map(fillStep)];
      return [key, key === 'watch' ? fill(field, [key]) : field];
    }),
  );
  return { value, standIns };
};

/** Of a stand-in only its type can be said to be wrong, if it has one; of other values, what was found. */
const aboutStandIn = (finding: PlacedFinding, { value, standIns }: FilledRoot): Finding | undefined => {
  const standIn = standIns.find(
    ({ path }) => path.length === finding.path.length && path.every((key, index) => finding.path[index] === key),
  );
  if (standIn === undefined) return finding;
  if (standIn.kind === 'broken' || finding.code !== 'WrongType') return undefined;
  const type = typeWords[typeof valueAt(value, standIn.path)] ?? 'something else';
  return { ...finding, message: `'${String(standIn.path.at(-1))}' would be ${type}` };
};

/** `checkStep` says it better: the unknown key of a step without a kind was meant to be the kind. */
const isAboutUnknownKind = ({ code, path }: PlacedFinding, steps: readonly unknown[], vocabulary: Vocabulary): boolean => {
  const [list, index, ...rest] = path;
  if (code !== 'UnknownField' || list !== 'steps' || typeof index !== 'number' || rest.length !== 1) return false;
  const step = steps[index];
  const shapes = stepShapes(vocabulary);
  return isJsonObject(step) && !shapes.some(({ name }) => Object.hasOwn(step, name)) && unknownKeys(step, shapes).length > 0;
};

const typeWords: Readonly<Record<string, string>> = { string: 'text', number: 'a number', boolean: 'true or false' };

const checkId = (step: JsonObject, index: number, ids: Map<string, number>, findings: Findings): void => {
  const { id } = step;
  if (typeof id !== 'string') return;
  const first = ids.get(id);
  if (first === undefined) ids.set(id, index);
  else
    findings.atValue(['steps', index, 'id'], {
      code: 'DuplicateId',
      message: `another step is called '${id}', in line ${findings.lineOf(['steps', first, 'id'])}`,
    });
};

/** What the steps and expressions of a runbook read. */
class UsedNames {
  readonly names = new Set<string>();
  readonly inputs = new Set<string>();
  allInputs = false;

  add(expression: Expression): void {
    for (const name of expression.names) this.names.add(name);
    if (expression.inputs === 'all') this.allInputs = true;
    else for (const input of expression.inputs) this.inputs.add(input);
  }
}

const warnOfUnused = (
  declarations: Readonly<Record<string, unknown>>,
  objects: ReadonlyMap<string, unknown>,
  used: UsedNames,
  findings: Findings,
): void => {
  for (const name of Object.keys(declarations)) {
    if (!used.allInputs && !used.inputs.has(name))
      findings.atKey(['inputs', name], { severity: 'warning', code: 'UnusedInput', message: `nothing reads the input '${name}'` });
  }
  for (const name of objects.keys()) {
    if (!used.names.has(name))
      findings.atKey(['objects', name], { severity: 'warning', code: 'UnusedObject', message: `no step is about the object '${name}'` });
  }
};

const once = <T>(create: () => T): (() => T) => {
  let created: { readonly value: T } | undefined;
  return () => (created ??= { value: create() }).value;
};
