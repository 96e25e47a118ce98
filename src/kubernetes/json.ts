/** An object of a JSON document: no array, no null. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Narrows to an array whose elements are not known, unlike `Array.isArray`, which makes them `any`. */
export const isJsonArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
