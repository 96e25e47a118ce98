import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// What is loaded late (the live list, the prompt) may break without anybody noticing: listr2 swallows it when its renderer cannot be loaded.

const root = resolve(import.meta.dirname, '../..');
const dist = mkdtempSync(join(tmpdir(), 'poimen-chunks-'));

beforeAll(() => void execFileSync(process.execPath, ['scripts/build.ts', dist], { cwd: root }), 60_000);
afterAll(() => rmSync(dist, { recursive: true, force: true }));

describe('the bundle', () => {
  it('every part of it can be loaded', () => {
    const chunks = readdirSync(join(dist, 'chunks'))
      .filter((file) => file.endsWith('.js'))
      .map((file) => pathToFileURL(join(dist, 'chunks', file)).href);
    expect(chunks.length).toBeGreaterThan(0);
    const loadAll = `for (const chunk of ${JSON.stringify(chunks)}) await import(chunk);`;
    expect(() => execFileSync(process.execPath, ['--input-type=module', '--eval', loadAll], { stdio: 'pipe' })).not.toThrow();
  });
});
