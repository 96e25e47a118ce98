import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8');
const rows = [...page.matchAll(/\| `(?<file>[\w./-]+\.test\.ts)`: (?<title>.+) \|$/gm)].map(({ groups }) => [
  groups?.['file'] ?? '',
  groups?.['title'] ?? '',
]);

it('the page on reliability has a test in each row', () => {
  const tableRows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (fault|defect)/.test(line));
  expect(rows).toHaveLength(tableRows.length);
});

it.each(rows)('the page on reliability names a test that is there: %s: %s', (file, title) => {
  const path = join(root, 'test', file);
  expect(existsSync(path)).toBe(true);
  const source = readFileSync(path, 'utf8');
  const titles = [...source.matchAll(/(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(?<quote>['"`])(?<title>.*?)\k<quote>,/g)].map(
    ({ groups }) => groups?.['title'],
  );
  expect(titles.includes(title) || source.includes(`)('${title}',`) || source.includes(`)("${title}",`)).toBe(true);
});
