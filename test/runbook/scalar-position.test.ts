import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { positionInScalar } from '../../src/runbook/scalar-position.ts';

/** What the caret underlines when it is to point at `word` in the value of `key`. */
const underlined = (text: string, word: string): string => {
  const value = (parse(text) as { readonly key: string }).key;
  const start = value.indexOf(word);
  const column = text.indexOf(':') + 3;
  const {
    line,
    column: found,
    length,
  } = positionInScalar(text, { file: 'f', line: 1, column, length: 1 }, value, start, start + word.length);
  return `${line}: ${text.split('\n')[line - 1]?.slice(found - 1, found - 1 + length)}`;
};

describe('positionInScalar', () => {
  it.each([
    ['key: a.b == c', 'c', '1: c'],
    ['key: "a \\"x\\" \\u0041 == cc"', 'cc', '1: cc'],
    ["key: 'it''s == cc'", 'cc', '1: cc'],
    ['key: |\n  a &&\n  b.cc == 1\n', 'cc', '3: cc'],
    ['key: >-\n  a &&\n\n  b.cc == 1\n', 'cc', '4: cc'],
    ['key: a &&\n  b.cc == 1', 'cc', '2: cc'],
    ['key: "a \\\n  b.cc == 1"', 'b.cc', '2: b.cc'],
    ['key: "a\\n\\tb.cc == 1"', 'b.cc', '1: b.cc'],
  ])('finds the place in %j', (text, word, expected) => expect(underlined(text, word)).toBe(expected));

  it('points behind the last character when an expression ends too early', () => {
    expect(positionInScalar("key: 'a ==' # c", { file: 'f', line: 1, column: 6, length: 1 }, 'a ==', 4, 4)).toEqual({
      file: 'f',
      line: 1,
      column: 11,
      length: 1,
    });
  });
});
