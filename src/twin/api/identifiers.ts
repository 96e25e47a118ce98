/** Identifiers that look random and are not: the same seed and the same counter give the same one. */

/** Letters and digits that form no words and are not mistaken for each other. Source: apimachinery `util/rand`. */
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

const hexadecimal = '0123456789abcdef';

/** The mulberry32 generator: 32 bits of state, one multiplication chain a number. */
const numbersFrom = (state: number): (() => number) => {
  let next = state;
  return () => {
    next = (next + 0x6d2b79f5) | 0;
    let mixed = Math.imul(next ^ (next >>> 15), next | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
};

/** Spreads seed and counter over all 32 bits, so that neighbours share nothing. */
const startFrom = (seed: number, counter: number): number => Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(counter, 0xc2b2ae35);

const draw = (next: () => number, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[next() % alphabet.length]).join('');

/** A version 4 UUID. `counter` ends up in it, so different counters never give the same one. Source: RFC 9562, section 5.4. */
export const makeUid = (seed: number, counter: number): string => {
  const next = numbersFrom(startFrom(seed, counter));
  const tail = (counter % 0x1000000000000).toString(16).padStart(12, '0');
  const variant = '89ab'[next() % 4];
  return `${draw(next, hexadecimal, 8)}-${draw(next, hexadecimal, 4)}-4${draw(next, hexadecimal, 3)}-${variant}${draw(next, hexadecimal, 3)}-${tail}`;
};

/** The five characters that `generateName` is completed with. */
export const makeNameSuffix = (seed: number, counter: number): string =>
  draw(numbersFrom(startFrom(seed ^ 0x5bd1e995, counter)), safeAlphabet, 5);
