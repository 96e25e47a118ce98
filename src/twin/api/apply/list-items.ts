import { fieldsOf } from '../json.ts';
import type { FieldType } from './field-types.ts';

export type ListType = Extract<FieldType, { kind: 'keyed' | 'set' }>;

/** The path element of an item: `k:{"name":"main"}`, `v:"a"`. */
export const elementOf = (type: ListType, item: unknown): string => {
  if (type.kind === 'set') return `v:${JSON.stringify(item)}`;
  const fields = fieldsOf(item);
  const keys: Record<string, unknown> = {};
  for (const key of type.keys) {
    const value = fields[key] ?? type.defaults[key];
    if (value !== undefined) keys[key] = value;
  }
  return `k:${JSON.stringify(keys)}`;
};

/** The items by their elements; several where an element occurs more than once. */
export const indexItems = (type: ListType, items: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> => {
  const index = new Map<string, unknown[]>();
  for (const item of items) {
    const element = elementOf(type, item);
    const known = index.get(element);
    if (known === undefined) index.set(element, [item]);
    else known.push(item);
  }
  return index;
};
