import type { LocalGit } from './git-repository.ts';

export interface GitObject {
  readonly type: string;
  readonly content: Buffer;
}

/**
 * Reads objects by id. What is not here is left out.
 *
 * Source: git documentation, git-cat-file "BATCH OUTPUT".
 */
export const readObjects = async (
  local: LocalGit,
  ids: readonly string[],
  maxBytes = 256 * 1024 * 1024,
): Promise<ReadonlyMap<string, GitObject>> => {
  const wanted = [...new Set(ids)];
  const found = new Map<string, GitObject>();
  if (wanted.length === 0) return found;
  const { stdout } = await local(['cat-file', '--batch'], { input: `${wanted.join('\n')}\n`, maxBytes });
  let at = 0;
  for (const id of wanted) {
    const end = stdout.indexOf(10, at);
    if (end < 0) break;
    const [, type = '', size = ''] = stdout.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type === 'missing' || size === '') continue;
    found.set(id, { type, content: stdout.subarray(at, at + Number(size)) });
    at += Number(size) + 1;
  }
  return found;
};
