import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../src/kubernetes/json.ts';

/** One case of the language's own conformance suite, as far as it is about what runbooks use. */
export interface ConformanceCase {
  /** `macros/exists/list_elem_all_true` */
  readonly name: string;
  readonly expression: string;
  /** CEL types by name. */
  readonly variables: ReadonlyMap<string, { readonly type: string; readonly value: unknown }>;
  /** False: the specification itself says that a checker refuses it. poimen always checks. */
  readonly checked: boolean;
  /** As the library has values; absent where an error is expected. */
  readonly expected?: { readonly value: unknown };
}

/** The files of the suite that cover what docs/runbook-reference.md calls supported. */
const files = new Set([
  'basic',
  'comparisons',
  'conversions',
  'fields',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'parse',
  'plumbing',
  'string',
  'timestamps',
]);

/** Runbooks have no protobuf messages, unsigned integers, bytes, types as values, or namespaces. */
const isOutside = (test: JsonObject): boolean => {
  const text = JSON.stringify(test);
  const expression = String(test['expr']);
  return (
    /TestAllTypes|objectValue|messageType|wellKnown|uint64Value|bytesValue|typeValue|enumValue|"container"/.test(text) ||
    /google\.protobuf|NullValue|\buint\b|\bbytes\b|\btype\(|\d[uU]\b|0x[\da-fA-F]+u|\b[bB][rR]?['"]|\b[rR][bB]['"]/.test(expression)
  );
};

export const conformanceCases = (): readonly ConformanceCase[] =>
  tests.suites
    ?.filter((file) => files.has(file.name))
    .flatMap((file) =>
      (file.suites ?? []).flatMap((section) =>
        (section.tests ?? [])
          .filter(({ original }) => !isOutside(original))
          .map(({ original }) => toCase(`${file.name}/${section.name}/${original.name ?? original.expr}`, original)),
      ),
    ) ?? [];

const toCase = (name: string, test: JsonObject): ConformanceCase => {
  const value = test['value'];
  const fails = test['evalError'] !== undefined || test['anyEvalErrors'] !== undefined;
  return {
    name,
    expression: String(test['expr']),
    variables: variablesOf(test),
    checked: test['disableCheck'] !== true,
    ...(fails ? {} : { expected: { value: value === undefined ? true : celValue(value) } }),
  };
};

const variablesOf = (test: JsonObject): ConformanceCase['variables'] => {
  const types = new Map<string, string>();
  if (isJsonArray(test['typeEnv'])) {
    for (const declaration of test['typeEnv']) {
      if (isJsonObject(declaration) && isJsonObject(declaration['ident']))
        types.set(String(declaration['name']), celType(declaration['ident']['type']));
    }
  }
  const bindings = isJsonObject(test['bindings']) ? test['bindings'] : {};
  const names = new Set([...types.keys(), ...Object.keys(bindings)]);
  return new Map(
    [...names].map((name) => {
      const binding = bindings[name];
      return [name, { type: types.get(name) ?? 'dyn', value: isJsonObject(binding) ? celValue(binding['value']) : undefined }];
    }),
  );
};

const primitives: Readonly<Record<string, string>> = { INT64: 'int', DOUBLE: 'double', STRING: 'string', BOOL: 'bool' };

const celType = (type: unknown): string => {
  if (!isJsonObject(type)) return 'dyn';
  if (typeof type['primitive'] === 'string') return primitives[type['primitive']] ?? 'dyn';
  if (isJsonObject(type['listType'])) return `list<${celType(type['listType']['elemType'])}>`;
  if (isJsonObject(type['mapType'])) return `map<${celType(type['mapType']['keyType'])}, ${celType(type['mapType']['valueType'])}>`;
  return 'dyn';
};

/** From the protobuf JSON of a `cel.expr.Value`. */
const celValue = (value: unknown): unknown => {
  if (!isJsonObject(value)) throw new Error(`no value: ${JSON.stringify(value)}`);
  const [[kind, content] = []] = Object.entries(value);
  switch (kind) {
    case 'int64Value':
      return BigInt(String(content));
    case 'doubleValue':
      return Number(content);
    case 'stringValue':
    case 'boolValue':
      return content;
    case 'nullValue':
      return null;
    case 'listValue':
      return isJsonObject(content) && isJsonArray(content['values']) ? content['values'].map(celValue) : [];
    case 'mapValue': {
      const entries = isJsonObject(content) && isJsonArray(content['entries']) ? content['entries'] : [];
      return new Map(entries.flatMap((entry) => (isJsonObject(entry) ? [[celValue(entry['key']), celValue(entry['value'])]] : [])));
    }
    default:
      throw new Error(`no value that runbooks have: ${kind}`);
  }
};
