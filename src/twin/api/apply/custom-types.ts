import type { KubernetesObject } from '../../../kubernetes/object.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import { fieldsOf, itemsOf, textOf, type JsonObject } from '../json.ts';
import { builtInType } from './built-in-types.ts';
import { atomic, granular, keyedBy, untyped, type FieldType, type GranularType } from './field-types.ts';

/**
 * The fields of a custom resource, as far as its definition's schema says them.
 *
 * Source: Kubernetes API concepts, "Custom Resources and server-side apply"; extensions `x-kubernetes-list-type`,
 * `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`.
 */
export const customType = (resource: Resource, definition: KubernetesObject | undefined): GranularType => {
  const version = itemsOf(fieldsOf(definition?.spec).versions)
    .map(fieldsOf)
    .find(({ name }) => name === resource.version);
  const described = granularOf(fieldsOf(fieldsOf(version?.schema).openAPIV3Schema));
  const metadata = builtInType(resource.kind).field('metadata');
  const ofAll: Readonly<Record<string, FieldType>> = { apiVersion: atomic, kind: atomic, metadata };
  return {
    ...granular((name) => ofAll[name] ?? described.field(name)),
    isNamed: (name) => name in ofAll || described.isNamed(name),
  };
};

const typeOf = (schema: JsonObject): FieldType => {
  switch (textOf(schema.type)) {
    case 'array':
      return listOf(schema);
    case 'object':
      return schema['x-kubernetes-map-type'] === 'atomic' ? atomic : granularOf(schema);
    case undefined:
      return untyped;
    default:
      return atomic;
  }
};

const listOf = (schema: JsonObject): FieldType => {
  const item = typeOf(fieldsOf(schema.items));
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return keyedBy(itemsOf(schema['x-kubernetes-list-map-keys']).map(String), item, defaultsOf(fieldsOf(schema.items)));
    case 'set':
      return { kind: 'set', item: atomic };
    default:
      return atomic;
  }
};

const defaultsOf = ({ properties }: JsonObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(properties)).flatMap(([name, property]) => {
      const { default: value } = fieldsOf(property);
      return value === undefined ? [] : [[name, value]];
    }),
  );

const granularOf = (schema: JsonObject): GranularType => {
  const properties = fieldsOf(schema.properties);
  const others = fieldsOf(schema.additionalProperties);
  if (Object.keys(properties).length > 0)
    return {
      ...granular((name) => (properties[name] === undefined ? untyped : typeOf(fieldsOf(properties[name])))),
      isNamed: (name) => name in properties,
    };
  if (Object.keys(others).length === 0) return untyped;
  const other = typeOf(others);
  return { kind: 'granular', isNamed: () => false, field: () => other, alwaysThere: [] };
};
