import { isJsonArray, isJsonObject, type JsonObject } from './json.ts';
import { isAtomicMap, listStrategy } from './merge-keys.ts';
import { PatchError } from './patch-error.ts';

type Path = readonly string[];
type List = readonly unknown[];

export interface MergeContext {
  /** Tells the merge keys. */
  readonly kind: string;
  /** The API server keeps a list's order as far as it can; kustomize puts the patch's elements first. */
  readonly listOrder: 'server' | 'patchFirst';
}

const directive = {
  patch: '$patch',
  retainKeys: '$retainKeys',
  deleteFromList: '$deleteFromPrimitiveList/',
  setElementOrder: '$setElementOrder/',
} as const;

/**
 * Merges objects key by key and lists by the merge keys of the kind's schema; understands the directives `$patch`
 * (`replace`, `delete`), `$retainKeys`, `$deleteFromPrimitiveList` and `$setElementOrder`.
 *
 * Throws `PatchError` Malformed.
 * Source: Kubernetes, "Update API Objects in Place Using kubectl patch" and sig-api-machinery's strategic-merge-patch.md.
 */
export const applyStrategicMergePatch = (document: JsonObject, patch: JsonObject, context: MergeContext): JsonObject =>
  mergeMap(document, patch, context, []);

const mergeMap = (document: JsonObject, patch: JsonObject, context: MergeContext, path: Path): JsonObject => {
  const directed = patch[directive.patch];
  if (directed === 'replace') return withoutKey(patch, directive.patch);
  if (directed === 'delete') return {};
  if (directed !== undefined) throw malformed(path, `$patch: ${JSON.stringify(directed)} is not known`);

  const merged: Record<string, unknown> = retained(document, patch, path);
  for (const [key, value] of Object.entries(patch)) {
    if (key === directive.retainKeys || key.startsWith(directive.setElementOrder)) continue;
    if (key.startsWith(directive.deleteFromList)) {
      deleteFromList(merged, key.slice(directive.deleteFromList.length), value, path);
      continue;
    }
    if (value === null) {
      delete merged[key];
      continue;
    }
    const result = mergeValue(merged[key], value, context, [...path, key]);
    if (result === undefined) delete merged[key];
    else merged[key] = result;
  }
  for (const key of Object.keys(patch)) {
    if (key.startsWith(directive.setElementOrder))
      setElementOrder(merged, document, patch, key.slice(directive.setElementOrder.length), context, path);
  }
  return merged;
};

const mergeValue = (before: unknown, value: unknown, context: MergeContext, path: Path): unknown => {
  if (isJsonObject(before) && isJsonObject(value)) return isAtomicMap(context.kind, path) ? value : mergeMap(before, value, context, path);
  if (isJsonArray(before) && isJsonArray(value)) return mergeList(before, value, context, path);
  return withoutDirectives(value);
};

const mergeList = (before: List, patch: List, context: MergeContext, path: Path): List => {
  const strategy = listStrategy(context.kind, path);
  switch (strategy.kind) {
    case 'replace':
      return patch;
    case 'mergeAsSet':
      return inOrder([...new Set([...before, ...patch])], patch, before, (item) => item, context);
    case 'mergeByKey':
      return mergeByKey(before, patch, strategy.key, context, path);
  }
};

const mergeByKey = (before: List, patch: List, key: string, context: MergeContext, path: Path): List => {
  const items = patch.map((item) => (isJsonObject(item) ? item : malformedItem(path)));
  const replaces = items.some((item) => item[directive.patch] === 'replace');
  const deletions = new Set(items.filter((item) => item[directive.patch] === 'delete').map((item) => keyOf(item, key, path)));
  const additions = items.filter((item) => !(directive.patch in item));
  for (const { [directive.patch]: directed } of items) {
    if (directed !== undefined && directed !== 'replace' && directed !== 'delete')
      throw malformed(path, `$patch: ${JSON.stringify(directed)} is not known in a list`);
  }
  if (replaces) return additions;

  const merged = before.filter((item) => !isJsonObject(item) || !deletions.has(item[key]));
  for (const addition of additions) {
    const wanted = keyOf(addition, key, path);
    const index = merged.findIndex((item) => isJsonObject(item) && item[key] === wanted);
    const present = merged[index];
    if (isJsonObject(present)) merged[index] = mergeMap(present, addition, context, [...path, '*']);
    else merged.push(withoutDirectives(addition));
  }
  return inOrder(merged, additions, before, (item) => (isJsonObject(item) ? item[key] : item), context);
};

const keyOf = (item: JsonObject, key: string, path: Path): unknown =>
  item[key] ?? malformedItem(path, `an element has no ${key}, by which the list is merged`);

/** Elements that the patch names come in its order; the others stay where they were in front of or behind them. */
const inOrder = (merged: List, wanted: List, before: List, idOf: (item: unknown) => unknown, { listOrder }: MergeContext): List => {
  const order = wanted.map(idOf);
  const serverOrder = before.map(idOf);
  const named = merged.filter((item) => order.includes(idOf(item))).toSorted((a, b) => order.indexOf(idOf(a)) - order.indexOf(idOf(b)));
  const others = merged.filter((item) => !order.includes(idOf(item)));
  if (listOrder === 'patchFirst') return [...named, ...others];
  const result: unknown[] = [];
  for (const item of named) {
    const place = serverOrder.indexOf(idOf(item));
    const inFront = others.findIndex((other) => serverOrder.indexOf(idOf(other)) >= place);
    result.push(...others.splice(0, place < 0 ? 0 : inFront < 0 ? others.length : inFront), item);
  }
  return [...result, ...others];
};

const setElementOrder = (
  merged: Record<string, unknown>,
  document: JsonObject,
  patch: JsonObject,
  field: string,
  context: MergeContext,
  path: Path,
): void => {
  const order = patch[directive.setElementOrder + field];
  if (!isJsonArray(order)) throw malformed(path, `$setElementOrder/${field} has to be a list`);
  const strategy = listStrategy(context.kind, [...path, field]);
  if (strategy.kind === 'replace')
    throw malformed(path, `$setElementOrder/${field}: the list is replaced as a whole and cannot be ordered`);
  const idOf = (item: unknown): unknown => (strategy.kind === 'mergeByKey' && isJsonObject(item) ? item[strategy.key] : item);
  const list = listOf(merged, field);
  if (list.length === 0) return;
  const stays = listOf(patch, field).filter((item) => !isJsonObject(item) || !(directive.patch in item));
  if (order.length > 0 && !isInOrder(stays.map(idOf), order.map(idOf)))
    throw malformed(path, `the elements of ${field} are not in the order of $setElementOrder/${field}`);
  merged[field] = inOrder(list, order, listOf(document, field), idOf, context);
};

const listOf = (object: JsonObject, field: string): List => {
  const value = object[field];
  return isJsonArray(value) ? value : [];
};

/** Whether all items stand in the order, in that sequence. */
const isInOrder = (items: List, order: List): boolean => {
  const places = items.map((item) => order.indexOf(item));
  return places.every((place, index) => place >= 0 && (index === 0 || place > (places[index - 1] ?? -1)));
};

const deleteFromList = (merged: Record<string, unknown>, field: string, deletions: unknown, path: Path): void => {
  if (!isJsonArray(deletions)) throw malformed(path, `$deleteFromPrimitiveList/${field} has to be a list`);
  const list = merged[field];
  if (isJsonArray(list)) merged[field] = list.filter((item) => !deletions.includes(item));
};

const retained = (document: JsonObject, patch: JsonObject, path: Path): Record<string, unknown> => {
  const keys = patch[directive.retainKeys];
  if (keys === undefined) return { ...document };
  if (!isJsonArray(keys)) throw malformed(path, '$retainKeys has to be a list');
  const stray = Object.entries(patch).find(([key, value]) => value !== null && !key.startsWith('$') && !keys.includes(key));
  if (stray !== undefined) throw malformed(path, `$retainKeys does not list ${stray[0]}, which the patch sets`);
  return Object.fromEntries(Object.entries(document).filter(([key]) => keys.includes(key)));
};

/** A value that is new has nothing to be merged into: nulls and directives in it mean nothing. */
const withoutDirectives = (value: unknown): unknown => {
  if (isJsonArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (directive.patch in value) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => {
      const kept = field === null || key.startsWith('$') ? undefined : withoutDirectives(field);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
};

const withoutKey = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

const malformed = (path: Path, problem: string): PatchError =>
  new PatchError('Malformed', `strategic merge patch: /${path.join('/')}: ${problem}`, `/${path.join('/')}`);

const malformedItem = (path: Path, problem = 'the elements of this list have to be objects'): never => {
  throw malformed(path, problem);
};
