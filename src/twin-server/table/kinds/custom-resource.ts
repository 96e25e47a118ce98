import type { KubernetesObject } from '../../../kubernetes/object.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import { numberOf, textOf, type JsonObject } from '../../../twin/api/json.ts';
import { ageOf, nameColumn, type Cell, type Column } from '../column.ts';
import { evaluateJsonPath, parseJsonPath } from '../json-path.ts';
import { fieldOf, objectsOf } from '../print.ts';

/**
 * The columns that the definition names for the served version; name and age where there is none, or none are named.
 *
 * Source: apiextensions-apiserver `pkg/registry/customresource/tableconvertor`.
 */
export const customResourceColumns = (resource: Resource, definition: KubernetesObject | undefined): readonly Column[] => {
  const version = objectsOf(fieldOf(definition, 'spec', 'versions')).find(({ name }) => name === resource.version);
  const named = objectsOf(version?.additionalPrinterColumns);
  return [nameColumn, ...(named.length === 0 ? [ageColumn] : named.map(columnOf))];
};

/** Unlike that of built-in kinds a date, which kubectl turns into an age as it turns the others. */
const ageColumn: Column = {
  name: 'Age',
  type: 'date',
  format: '',
  description: '',
  priority: 0,
  cell: ({ metadata }, now) => (metadata.creationTimestamp === undefined ? null : ageOf(metadata.creationTimestamp, now)),
};

const columnOf = ({ name, type, format, description, priority, jsonPath }: JsonObject): Column => {
  const source = textOf(jsonPath) ?? '';
  const path = parseJsonPath(source);
  const printAs = textOf(type) ?? 'string';
  return {
    name: textOf(name) ?? '',
    type: printAs,
    format: textOf(format) ?? '',
    description: textOf(description) || `Custom resource definition column (in JSONPath format): ${source}`,
    priority: numberOf(priority) ?? 0,
    cell: (object, now) => {
      const found = path === undefined ? [] : evaluateJsonPath(path, object);
      return found.length === 0 ? null : cellOf(printAs, found[0], now);
    },
  };
};

const cellOf = (type: string, value: unknown, now: number): Cell => {
  if (type === 'string') return printText(value);
  if (value === null) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      if (typeof value !== 'string') return null;
      return Number.isNaN(Date.parse(value)) ? '<invalid>' : ageOf(value, now);
    default:
      return null;
  }
};

/** As Go's templates print it. */
const printText = (value: unknown): string => {
  if (value === null) return '<no value>';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
