/** The reference tokens of a JSON Pointer. Source: RFC 6901, section 3 and 4. */
export const pointerTokens = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What the pointer leads to, or `undefined` where there is nothing. */
export const valueAt = (document: unknown, pointer: string): unknown => {
  let value = document;
  for (const token of pointerTokens(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return value;
};
