import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'src');

/** The folders of `src/`, in the order of docs/project-layout.md. */
const order = [...readFileSync(join(root, 'docs/project-layout.md'), 'utf8').matchAll(/^\| `([a-z/-]+)` \|/gm)].map(
  (match) => match[1] ?? '',
);

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** The folder of the table that a file belongs to: the most specific one. */
const folderOf = (file: string): string | undefined =>
  order.filter((folder) => file.startsWith(`${folder}/`)).toSorted((a, b) => b.length - a.length)[0];

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');

describe('folders of src/', () => {
  it('are all in the table of docs/project-layout.md', () => {
    const unknown = files.filter((file) => file.includes('/') && folderOf(file) === undefined);
    expect(unknown).toEqual([]);
  });

  it('import only from folders above them in the table', () => {
    const wrong = files.flatMap((file) => {
      const from = folderOf(file);
      if (from === undefined) return []; // src/main.ts, which puts everything together
      return importsOf(file)
        .filter((target) => target.startsWith('.'))
        .map((target) => relative(source, resolve(source, dirname(file), target)))
        .filter((target) => {
          const to = folderOf(target);
          return to === undefined ? !target.startsWith('..') : order.indexOf(to) > order.indexOf(from);
        })
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('leave the Kubernetes client to cluster/live', () => {
    const users = files.filter((file) => importsOf(file).some((target) => target.startsWith('@kubernetes/')));
    expect(users.filter((file) => !file.startsWith('cluster/live/'))).toEqual([]);
    expect(users).not.toEqual([]);
  });

  it('keep oclif and the terminal out of everything but the commands', () => {
    const users = files.filter((file) => importsOf(file).some((target) => /^(@oclif|@inquirer|listr2)/.test(target)));
    expect(users.filter((file) => !/^(commands|command-line|terminal|views|main\.ts)/.test(file))).toEqual([]);
  });
});
