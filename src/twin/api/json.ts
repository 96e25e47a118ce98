import { isJsonObject, type JsonObject } from '../../kubernetes/json.ts';

export { isJsonObject, type JsonObject } from '../../kubernetes/json.ts';

/** JSON values as the twin stores them: frozen, so that objects can be shared between versions, watchers and clients without a copy. */

/** The fields of an object; none of anything else. */
export const fieldsOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** `fields` with those of `defaults` that are missing or null. The same object when nothing is missing. */
export const fillIn = (fields: JsonObject, defaults: JsonObject): JsonObject => {
  const missing = Object.keys(defaults).some((key) => fields[key] === undefined || fields[key] === null);
  if (!missing) return fields;
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return { ...defaults, ...Object.fromEntries(present) };
};

/** `items` with each element changed. The same array when no element is. */
export const mapShared = (items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] => {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
};

/**
 * Freezes a JSON value in place, as deep as it is not frozen yet, and drops fields that are `undefined`, which JSON cannot say.
 * What is frozen already came from here and is shared as it is.
 */
export const freezeJson = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) Reflect.deleteProperty(value, key);
    else freezeJson(field);
  }
  return Object.freeze(value);
};

/** Whether two values are the same JSON; shared parts are not looked into. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSameJson(item, other[index]));
  }
  const [left, right] = [fieldsOf(one), fieldsOf(other)];
  const isAlike = (key: string): boolean => isSameJson(left[key], right[key]);
  return Object.keys(left).every(isAlike) && Object.keys(right).every((key) => key in left || right[key] === undefined);
};
