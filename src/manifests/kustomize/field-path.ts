import { isJsonArray, isJsonObject, type JsonObject } from '../../kubernetes/json.ts';

/** `spec.template.spec.containers.[name=main].image` in its parts. A dot in brackets, or behind a backslash, parts nothing. */
export const splitFieldPath = (path: string): readonly string[] => {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  for (let index = 0; index < path.length; index++) {
    const character = path[index] ?? '';
    if (character === '\\' && path[index + 1] === '.') {
      part += '.';
      index++;
    } else if (character === '.' && depth === 0) {
      parts.push(part);
      part = '';
    } else {
      depth += character === '[' ? 1 : character === ']' ? -1 : 0;
      part += character;
    }
  }
  return [...parts, part].filter((found) => found !== '');
};

/** What an update leaves, and how many values it was asked about. */
export interface Updated {
  readonly value: unknown;
  readonly count: number;
}

/**
 * Updates every value that the path leads to: keys; places of lists by number, by `[key=value]`, all by `*`. With `create`, keys
 * that are missing are made.
 *
 * Source: kustomize, kyaml, PathMatcher.
 */
export const updateField = (
  value: unknown,
  [key, ...rest]: readonly string[],
  create: boolean,
  update: (value: unknown) => unknown,
): Updated => {
  if (key === undefined) return { value: update(value), count: 1 };
  if (isJsonArray(value)) return updateItems(value, (item, index) => isItem(key, item, index), rest, create, update);
  if (value !== undefined && !isJsonObject(value)) return { value, count: 0 };
  const object: JsonObject = value ?? {};
  const keys = key === '*' ? Object.keys(object) : [key];
  let count = 0;
  const changed = { ...object };
  for (const own of keys) {
    if (object[own] === undefined && !create) continue;
    const updated = updateField(object[own], rest, create, update);
    count += updated.count;
    changed[own] = updated.value;
  }
  return { value: changed, count };
};

const updateItems = (
  list: readonly unknown[],
  isMeant: (item: unknown, index: number) => boolean,
  rest: readonly string[],
  create: boolean,
  update: (value: unknown) => unknown,
): Updated => {
  let count = 0;
  const value = list.map((item, index) => {
    if (!isMeant(item, index)) return item;
    const updated = updateField(item, rest, create, update);
    count += updated.count;
    return updated.value;
  });
  return { value, count };
};

const isItem = (part: string, item: unknown, index: number): boolean => {
  if (part === '*' || part === String(index)) return true;
  const [, key = '', wanted = ''] = /^\[([^=\]]*)=(.*)\]$/.exec(part) ?? [];
  if (!part.startsWith('[')) return false;
  return key === '' ? String(item) === wanted : isJsonObject(item) && String(item[key]) === wanted;
};

/** All values that the path leads to. */
export const valuesAt = (value: unknown, path: readonly string[]): readonly unknown[] => {
  const found: unknown[] = [];
  updateField(value, path, false, (each) => {
    found.push(each);
    return each;
  });
  return found;
};
