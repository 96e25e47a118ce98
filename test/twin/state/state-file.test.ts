import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLine, readLines } from '../../../src/twin/state/state-file.ts';

const file = (...values: readonly unknown[]): Buffer => Buffer.from(values.map(formatLine).join(''));

test('what was written is read', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      const read = readLines(file(...values));
      expect(read.values).toEqual(JSON.parse(JSON.stringify(values)));
      expect(read.isDamaged).toBe(false);
    }),
  );
});

test('a file that is cut anywhere gives the lines that are whole', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), fc.nat(), (values, place) => {
      const whole = file(...values);
      const cut = whole.subarray(0, place % (whole.length + 1));
      const read = readLines(cut);
      expect(read.values).toEqual(JSON.parse(JSON.stringify(values.slice(0, read.values.length))));
      expect(read.wholeBytes).toBe(file(...values.slice(0, read.values.length)).length);
      expect(cut.subarray(read.wholeBytes).includes(0x0a)).toBe(false);
      expect(read.isDamaged).toBe(false);
    }),
  );
});

test('a byte that changed in the last line drops that line; in an earlier one it is damage', () => {
  const [first, second] = [file({ a: 1 }), file({ b: 2 })];
  const whole = Buffer.concat([first, second]);
  const changed = (at: number): Buffer => {
    const copy = Buffer.from(whole);
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
    return copy;
  };
  expect(readLines(changed(first.length + 12))).toEqual({ values: [{ a: 1 }], wholeBytes: first.length, isDamaged: false });
  expect(readLines(changed(12))).toEqual({ values: [], wholeBytes: 0, isDamaged: true });
});

test('zeros, as a file system leaves them after a crash, are no line', () => {
  expect(readLines(Buffer.concat([file({ a: 1 }), Buffer.alloc(100)]))).toMatchObject({ values: [{ a: 1 }], isDamaged: false });
});
