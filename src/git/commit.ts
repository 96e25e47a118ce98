import type { LocalGit } from './git-repository.ts';
import { readObjects } from './objects.ts';

export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  /** Name and address. */
  readonly author: string;
  /** Seconds since the epoch. A pick keeps it. */
  readonly authorTime: number;
  readonly subject: string;
  readonly message: string;
}

export const readCommits = async (local: LocalGit, ids: readonly string[]): Promise<readonly Commit[]> => {
  const objects = await readObjects(local, ids);
  return ids.flatMap((id) => {
    const object = objects.get(id);
    return object?.type === 'commit' ? [parseCommit(id, object.content)] : [];
  });
};

export const readCommit = async (local: LocalGit, id: string): Promise<Commit | undefined> => (await readCommits(local, [id]))[0];

/** Source: git documentation, gitformat-... of commit objects: headers, an empty line, the message. */
export const parseCommit = (id: string, content: Buffer): Commit => {
  const text = content.toString('utf8');
  const border = text.indexOf('\n\n');
  const head = border < 0 ? text : text.slice(0, border);
  const message = border < 0 ? '' : text.slice(border + 2);
  // Continued lines, of signatures, begin with a space.
  const headers = head.split('\n').filter((line) => !line.startsWith(' '));
  const [, author = '', time = '0'] = /^author (.*) (\d+) [+-]\d+$/m.exec(headers.join('\n')) ?? [];
  return {
    id,
    parents: headers.flatMap((line) => (line.startsWith('parent ') ? [line.slice('parent '.length)] : [])),
    author,
    authorTime: Number(time),
    subject: message.trimStart().split('\n')[0] ?? '',
    message,
  };
};
