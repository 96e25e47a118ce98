import { expect, it } from 'vitest';
import { isOlderVersion } from '../../src/kubernetes/resource-version.ts';

it.each([
  ['9', '10', true],
  ['10', '9', false],
  ['10', '10', false],
  ['9007199254740993', '9007199254740994', true], // beyond what a JavaScript number tells apart
  ['abc', '10', undefined],
  [undefined, '10', undefined],
  ['', '10', undefined],
])('version %s is older than %s: %s', (a, b, expected) => {
  expect(isOlderVersion(a, b)).toBe(expected);
});
