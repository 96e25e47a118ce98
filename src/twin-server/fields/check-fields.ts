import type { KnownTypes } from '../../cluster/live/known-types.ts';
import { isJsonObject } from '../../kubernetes/json.ts';

export interface CheckedFields {
  /** Without the fields that the type does not have: a typed server does not keep them. */
  readonly value: unknown;
  /** `unknown field "spec.replica"`, in the order in which they come. */
  readonly unknown: readonly string[];
  /** The first value of a wrong type, in the words of Go's decoder. */
  readonly mistyped?: string;
}

/** Compares an object with the type of its kind. Source: Kubernetes API concepts, "Validation for unrecognized or duplicate fields". */
export const checkFields = (types: KnownTypes, type: string, value: unknown): CheckedFields => {
  const walk = new Walk(types);
  const kept = walk.visit(type, value, '', '', type);
  return { value: kept, unknown: walk.unknown, ...(walk.mistyped === undefined ? {} : { mistyped: walk.mistyped }) };
};

/** Texts that may be written as numbers. Source: apimachinery `resource.Quantity`. */
const quantities: ReadonlySet<string> = new Set([
  'allocatable',
  'allocatedResources',
  'capacity',
  'containerResource',
  'default',
  'defaultRequest',
  'divisor',
  'hard',
  'limits',
  'max',
  'maxLimitRequestRatio',
  'min',
  'overhead',
  'podFixed',
  'requests',
  'sizeLimit',
  'used',
]);

class Walk {
  readonly unknown: string[] = [];
  mistyped: string | undefined;
  private readonly types: KnownTypes;

  constructor(types: KnownTypes) {
    this.types = types;
  }

  /** `field` is the name of the nearest field around the value, `owner` the type that has it. */
  visit(type: string, value: unknown, path: string, field: string, owner: string): unknown {
    if (value === null || value === undefined) return value;
    const item = /^Array<(.+)>$/.exec(type)?.[1];
    if (item !== undefined) {
      if (!Array.isArray(value)) return this.refuse(value, path, `[]${item}`, owner);
      return value.map((element, index) => this.visit(item, element, `${path}[${index}]`, field, owner));
    }
    const entry = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
    if (entry !== undefined) {
      if (!isJsonObject(value)) return this.refuse(value, path, `map[string]${entry}`, owner);
      return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, this.visit(entry, element, path, field, owner)]));
    }
    const fields = this.types.fieldsOf(type);
    if (fields !== undefined) return this.visitFields(type, fields, value, path, owner);
    return this.isScalar(type, value, field) ? value : this.refuse(value, path, type, owner);
  }

  private visitFields(type: string, fields: ReadonlyMap<string, string>, value: unknown, path: string, owner: string): unknown {
    if (!isJsonObject(value)) return this.refuse(value, path, type, owner);
    const kept: [string, unknown][] = [];
    for (const [name, element] of Object.entries(value)) {
      const here = path === '' ? name : `${path}.${name}`;
      const fieldType = fields.get(name);
      if (fieldType === undefined) this.unknown.push(`unknown field ${JSON.stringify(here)}`);
      else kept.push([name, this.visit(fieldType, element, here, name, type)]);
    }
    return Object.fromEntries(kept);
  }

  private isScalar(type: string, value: unknown, field: string): boolean {
    switch (type) {
      case 'string':
        return typeof value === 'string' || (typeof value === 'number' && quantities.has(field));
      case 'Date':
      case 'V1MicroTime':
        return typeof value === 'string';
      case 'number':
      case 'boolean':
        return typeof value === type;
      case 'IntOrString':
        return typeof value === 'string' || typeof value === 'number';
      default:
        return true;
    }
  }

  private refuse(value: unknown, path: string, wanted: string, owner: string): unknown {
    const found = Array.isArray(value) ? 'array' : value === true || value === false ? 'bool' : typeof value;
    this.mistyped ??= `json: cannot unmarshal ${found} into Go struct field ${goName(owner)}.${path} of type ${goTypes[wanted] ?? goName(wanted)}`;
    return value;
  }
}

const goTypes: Readonly<Record<string, string>> = { boolean: 'bool', number: 'int32', Date: 'v1.Time' };

/** `V1DeploymentSpec` is `DeploymentSpec` there. */
const goName = (type: string): string => type.replace(/\b(?:[A-Z][a-z]+)?V\d+(?:(?:alpha|beta)\d+)?(?=[A-Z])/, '');
