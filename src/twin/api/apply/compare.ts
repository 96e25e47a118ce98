import { isSameJson, itemsOf, isJsonObject, type JsonObject } from '../json.ts';
import { member, nodeOf, type FieldSet } from './field-set.ts';
import type { FieldType, GranularType } from './field-types.ts';
import { indexItems, type ListType } from './list-items.ts';

/** Which fields a write has changed. `undefined` is the empty set. */
export interface Changes {
  readonly added: FieldSet | undefined;
  readonly modified: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}

/**
 * Compares two versions; `undefined` when they are alike. What both share is not looked into.
 *
 * Source: structured-merge-diff `typed/compare.go`.
 */
export const compareFields = (type: FieldType, before: unknown, after: unknown): Changes | undefined => {
  if (before === after) return undefined;
  switch (type.kind) {
    case 'keyed':
    case 'set':
      if (isList(before) || isList(after)) return compareLists(type, before, after);
      return compareLeaves(before, after);
    case 'granular':
      if (isMap(before) || isMap(after)) return compareMaps(type, before, after);
      return compareLeaves(before, after);
    case 'atomic':
      return compareLeaves(before, after);
  }
};

const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const isMap = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;

const compareLeaves = (before: unknown, after: unknown): Changes | undefined => {
  if (before === undefined) return { added: member, modified: undefined, removed: undefined };
  if (after === undefined) return { added: undefined, modified: undefined, removed: member };
  return isSameJson(before, after) ? undefined : { added: undefined, modified: member, removed: undefined };
};

const compareMaps = (type: GranularType, before: unknown, after: unknown): Changes | undefined => {
  const [left, right] = [fieldsWith(type, before), fieldsWith(type, after)];
  const found = new Gathered();
  for (const name in right) found.take(`f:${name}`, compareFields(type.field(name), left[name], right[name]));
  for (const name in left) {
    if (!(name in right)) found.take(`f:${name}`, compareFields(type.field(name), left[name], undefined));
  }
  return found.changes(before, after);
};

const fieldsWith = ({ alwaysThere }: GranularType, value: unknown): JsonObject => {
  const fields = isJsonObject(value) ? value : {};
  if (alwaysThere.length === 0 || !isJsonObject(value)) return fields;
  const missing = alwaysThere.filter((name) => fields[name] === undefined);
  return missing.length === 0 ? fields : { ...fields, ...Object.fromEntries(missing.map((name) => [name, null])) };
};

const compareLists = (type: ListType, before: unknown, after: unknown): Changes | undefined => {
  const [left, right] = [indexItems(type, itemsOf(before)), indexItems(type, itemsOf(after))];
  const found = new Gathered();
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    found.take(element, compareItems(type.item, left.get(element) ?? [], right.get(element) ?? []));
  }
  return found.changes(before, after);
};

/** Items that occur more than once under one element are compared as a whole. */
const compareItems = (type: FieldType, before: readonly unknown[], after: readonly unknown[]): Changes | undefined => {
  if (before.length < 2 && after.length < 2) return compareFields(type, before[0], after[0]);
  if (before.length >= 2 && after.length >= 2)
    return isSameJson(before, after) ? undefined : { added: undefined, modified: member, removed: undefined };
  if (before.length >= 2) {
    const added = after.length === 0 ? undefined : compareFields(type, undefined, after[0])?.added;
    return { added, modified: undefined, removed: member };
  }
  const removed = before.length === 0 ? undefined : compareFields(type, before[0], undefined)?.removed;
  return { added: member, modified: undefined, removed };
};

/** Gathers the changes of the parts into those of the whole. */
class Gathered {
  private added: Record<string, FieldSet> | undefined;
  private modified: Record<string, FieldSet> | undefined;
  private removed: Record<string, FieldSet> | undefined;

  take(element: string, changes: Changes | undefined): void {
    if (changes === undefined) return;
    if (changes.added !== undefined) (this.added ??= {})[element] = changes.added;
    if (changes.modified !== undefined) (this.modified ??= {})[element] = changes.modified;
    if (changes.removed !== undefined) (this.removed ??= {})[element] = changes.removed;
  }

  changes(before: unknown, after: unknown): Changes | undefined {
    const [isNew, isGone] = [before === undefined, after === undefined];
    if (this.added === undefined && this.modified === undefined && this.removed === undefined && !isNew && !isGone) return undefined;
    return { added: nodeOf(isNew, this.added), modified: this.modified, removed: nodeOf(isGone, this.removed) };
  }
}
