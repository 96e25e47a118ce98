import { isJsonArray, isJsonObject } from './json.ts';

/** A place in a JSON document: object keys and array indices, outermost first. */
export type JsonPath = readonly (string | number)[];

/** The keys of `/metadata/labels/app.kubernetes.io~1name`; array indices stay text. Source: RFC 6901. */
export const parsePointer = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at a place; `undefined` where the document has none. */
export const valueAt = (document: unknown, path: JsonPath): unknown => {
  let current = document;
  for (const key of path) {
    if (isJsonArray(current)) current = current[Number(key)];
    else if (isJsonObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
};
