/** FNV-1a, 32 bits. Source: Go, `hash/fnv`. */
export const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};

/** No vowels, and no digits that look like some. Source: apimachinery `rand.SafeEncodeString`. */
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A hash as it appears in names: the digits of the number, each replaced by a harmless letter or digit. */
export const hashText = (text: string): string =>
  Array.from(String(fnv1a(text)), (digit) => safeAlphabet[digit.charCodeAt(0) % safeAlphabet.length]).join('');
