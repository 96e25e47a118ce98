/** Without aliases a text has no more values than characters. Source: go.yaml.in/yaml v2, `allowedAliasRatio`, for its order of size. */
const leastLimit = 400_000;

/**
 * Whether aliases make more of a document than anybody writes down: a few lines can stand for billions of values, or for a value that
 * contains itself. Everything that walks the document would never end.
 */
export const isAliasBomb = (document: unknown, textLength: number): boolean => {
  const limit = Math.max(leastLimit, textLength);
  const open: unknown[] = [document];
  let count = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (++count > limit) return true;
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) open.push(item);
  }
  return false;
};
