import { isJsonObject, type JsonObject } from './json.ts';

/**
 * Merges objects key by key, replaces everything else, removes what the patch says is null. In particular it *adds* to a map
 * such as a selector: stale keys stay.
 *
 * Source: RFC 7386.
 */
export const applyMergePatch = (document: unknown, patch: JsonObject): JsonObject => {
  const merged: Record<string, unknown> = isJsonObject(document) ? { ...document } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = isJsonObject(value) ? applyMergePatch(merged[key], value) : value;
  }
  return merged;
};
