import { fieldsOf, isJsonObject, itemsOf } from '../json.ts';
import { below, holds, member, nodeOf, type FieldSet } from './field-set.ts';
import type { FieldType, GranularType } from './field-types.ts';
import { elementOf, indexItems, type ListType } from './list-items.ts';

/** What a configuration that is applied does to an object, and to what it says. Source: structured-merge-diff `typed`. */

/** The fields that a value says. */
export const fieldsIn = (type: FieldType, value: unknown): FieldSet | undefined => {
  switch (type.kind) {
    case 'atomic':
      return member;
    case 'keyed':
    case 'set':
      return Array.isArray(value) ? fieldsInList(type, value) : undefined;
    case 'granular':
      return isJsonObject(value) ? fieldsInMap(type, value) : value === null ? undefined : member;
  }
};

const fieldsInMap = (type: GranularType, map: Readonly<Record<string, unknown>>): FieldSet | undefined => {
  const children: Record<string, FieldSet> = {};
  for (const [name, value] of Object.entries(map)) {
    const isEmpty = value === null || (isJsonObject(value) && Object.keys(value).length === 0);
    const inner = fieldsIn(type.field(name), value);
    const node = isEmpty || !type.isNamed(name) ? withSelf(inner) : inner;
    if (node !== undefined) children[`f:${name}`] = node;
  }
  return Object.keys(children).length === 0 ? undefined : children;
};

const withSelf = (node: FieldSet | undefined): FieldSet =>
  node === undefined || Object.keys(node).length === 0 ? member : { '.': member, ...node };

const fieldsInList = (type: ListType, list: readonly unknown[]): FieldSet | undefined => {
  const children: Record<string, FieldSet> = {};
  for (const [element, items] of indexItems(type, list)) {
    children[element] = items.length > 1 ? member : withSelf(fieldsIn(type.item, items[0]));
  }
  return Object.keys(children).length === 0 ? undefined : children;
};

/** The set, with the named fields on the way to what is in it: who owns a container's image also owns that there are containers. */
export const withNamedFields = (type: FieldType | undefined, set: FieldSet | undefined): FieldSet | undefined => {
  if (set === undefined) return undefined;
  const children: Record<string, FieldSet> = {};
  for (const [element, node] of Object.entries(set)) {
    if (element === '.') continue;
    const isNamed = type?.kind === 'granular' && element.startsWith('f:') && type.isNamed(element.slice(2));
    const inner = withNamedFields(innerType(type, element), below(set, element));
    const complete = nodeOf(isNamed || holds(set, element), inner) ?? node;
    children[element] = complete;
  }
  return children;
};

const innerType = (type: FieldType | undefined, element: string): FieldType | undefined => {
  if (type?.kind === 'granular' && element.startsWith('f:')) return type.field(element.slice(2));
  return type?.kind === 'keyed' && element.startsWith('k:') ? type.item : undefined;
};

/** The object with the configuration merged into it. */
export const mergeConfiguration = (type: FieldType, live: unknown, configuration: unknown): unknown => {
  if (configuration === undefined) return live;
  if (live === undefined || type.kind === 'atomic') return configuration;
  if (type.kind === 'granular') {
    if (!isJsonObject(live) || !isJsonObject(configuration) || Object.keys(configuration).length + Object.keys(live).length === 0)
      return configuration;
    const merged: Record<string, unknown> = { ...live };
    for (const [name, value] of Object.entries(configuration)) merged[name] = mergeConfiguration(type.field(name), live[name], value);
    return merged;
  }
  if (!Array.isArray(live) || !Array.isArray(configuration)) return configuration;
  return mergeLists(type, live, configuration);
};

/** Both orders are kept where they can be; where they contradict each other, that of the configuration. */
const mergeLists = (type: ListType, live: readonly unknown[], configuration: readonly unknown[]): readonly unknown[] => {
  const left = live.map((item) => ({ element: elementOf(type, item), item }));
  const right = configuration.map((item) => ({ element: elementOf(type, item), item }));
  const inLive = indexItems(type, live);
  const inConfiguration = indexItems(type, configuration);
  const shared = right.filter(({ element }) => inLive.has(element)).map(({ element }) => element);
  const done = new Set<string>();
  const merged: unknown[] = [];
  const take = ({ element, item }: { readonly element: string; readonly item: unknown }): void => {
    const [before, ...more] = inLive.get(element) ?? [];
    done.add(element);
    merged.push(mergeConfiguration(type.item, more.length > 0 ? undefined : before, item));
  };
  let next = shared.shift();
  let [i, j] = [0, 0];
  for (;;) {
    const [ours, theirs] = [left[i], right[j]];
    if (ours === undefined && theirs === undefined) return merged;
    if (ours !== undefined && theirs !== undefined) {
      if (ours.element === theirs.element) {
        take(theirs);
        [i, j, next] = [i + 1, j + 1, shared.shift()];
        continue;
      }
      if (inConfiguration.has(ours.element) && next !== undefined && next !== ours.element) {
        i += 1; // its turn comes later
        continue;
      }
    }
    if (ours !== undefined) {
      if (!inConfiguration.has(ours.element)) {
        merged.push(ours.item);
        i += 1;
        continue;
      }
      if (done.has(ours.element)) i += 1;
    }
    if (theirs !== undefined) {
      take(theirs);
      j += 1;
      if (next === theirs.element) next = shared.shift();
    }
  }
};

/** The value without the fields of the set; `undefined` where nothing is left of it. */
export const removeFields = (type: FieldType, value: unknown, set: FieldSet | undefined): unknown => {
  if (set === undefined) return value;
  switch (type.kind) {
    case 'atomic':
      return isJsonObject(value) || Array.isArray(value) ? undefined : value;
    case 'granular':
      return isJsonObject(value) ? removeFromMap(type, value, set) : value;
    case 'keyed':
    case 'set':
      return Array.isArray(value) ? removeFromList(type, value, set) : value;
  }
};

const removeFromMap = (type: GranularType, map: Readonly<Record<string, unknown>>, set: FieldSet): unknown => {
  const left = Object.entries(fieldsOf(map)).flatMap(([name, value]) => {
    const element = `f:${name}`;
    if (holds(set, element)) return [];
    const kept = removeFields(type.field(name), value, below(set, element));
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
};

const removeFromList = (type: ListType, list: readonly unknown[], set: FieldSet): unknown => {
  const left = itemsOf(list).flatMap((item) => {
    const element = elementOf(type, item);
    if (holds(set, element)) return [];
    const kept = removeFields(type.item, item, below(set, element));
    return kept === undefined ? [] : [kept];
  });
  return left.length === 0 ? undefined : left;
};
