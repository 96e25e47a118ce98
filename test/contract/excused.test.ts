import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { excusedDifferences } from './excused.ts';

test('at most five differences are excused', () => {
  expect(excusedDifferences.length).toBeLessThanOrEqual(5);
});

test('each excuse names a behaviour that is tested, and an upstream reference', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  const tests = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
  for (const { behaviour, reference } of excusedDifferences) {
    expect(tests).toContain(behaviour);
    expect(reference).toMatch(/^https:\/\/(github\.com\/kubernetes|kubernetes\.io)\//);
  }
});
