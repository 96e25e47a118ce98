import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { SourceCommit } from './source-history.ts';

const who = { name: 'candle-vllm', email: 'maintainers@candle-vllm.example' };

/** Commits the history to a new repository in `folder`; the same history gives the same ids, on every machine. Answers them by name. */
export const commitHistory = async (folder: string, history: readonly SourceCommit[]): Promise<ReadonlyMap<string, string>> => {
  await git(folder, ['init', '--quiet', '--initial-branch=main']);
  const ids = new Map<string, string>();
  for (const { name, date, message, files } of history) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await git(folder, ['add', '--all']);
    await git(folder, ['commit', '--quiet', '--cleanup=verbatim', '--file=-'], { input: `${message}\n`, date });
    ids.set(name, await git(folder, ['rev-parse', 'HEAD']));
  }
  return ids;
};

export const bundle = (folder: string, file: string): Promise<string> => git(folder, ['bundle', 'create', '--quiet', file, '--all']);

/** The commit as git hashes it, without its header. */
export const commitText = (folder: string, id: string): Promise<string> =>
  git(folder, ['cat-file', 'commit', id], { stripFinalNewline: false });

interface GitOptions {
  readonly input?: string;
  readonly date?: string;
  readonly stripFinalNewline?: boolean;
}

const git = async (
  folder: string,
  args: readonly string[],
  { input = '', date, stripFinalNewline = true }: GitOptions = {},
): Promise<string> => {
  const { stdout } = await execa('git', args, {
    cwd: folder,
    input,
    stripFinalNewline,
    extendEnv: false,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: who.name,
      GIT_AUTHOR_EMAIL: who.email,
      GIT_COMMITTER_NAME: who.name,
      GIT_COMMITTER_EMAIL: who.email,
      ...(date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
    },
  });
  return stdout;
};
