import { expect, it } from 'vitest';
import { renderJson, renderJsonLine } from '../../src/views/json.ts';

it('JSON holds nothing that a terminal acts on, and still says the same', () => {
  const value = { message: 'a\u001b[31mb\u009b2Jc\u007f', list: [1] };
  expect(renderJsonLine(value)).toBe('{"message":"a\\u001b[31mb\\u009b2Jc\\u007f","list":[1]}\n');
  expect(JSON.parse(renderJson(value))).toEqual(value);
});

it('a document is indented, a line is one line', () => {
  expect(renderJson({ a: 1 })).toBe('{\n  "a": 1\n}\n');
  expect(renderJsonLine({ a: 'x\ny' })).toBe('{"a":"x\\ny"}\n');
});
