import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitRepository } from './git-repository.ts';

export interface ThreeWay {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/** What comes of ours when it takes what theirs changed in base. `conflict`: both changed the same place, or it is no text. */
export type Merged = { readonly kind: 'clean'; readonly content: Buffer } | { readonly kind: 'conflict' };

/** Source: git documentation, git-merge-file: the exit code is the number of conflicts, 255 an error (such as for binary files). */
export const mergeFile = async (repository: GitRepository, { base, ours, theirs }: ThreeWay, signal?: AbortSignal): Promise<Merged> => {
  const folder = await mkdtemp(join(repository.directory, 'merge-'));
  try {
    const [oursFile, baseFile, theirsFile] = [join(folder, 'ours'), join(folder, 'base'), join(folder, 'theirs')];
    await Promise.all([writeFile(oursFile, ours), writeFile(baseFile, base), writeFile(theirsFile, theirs)]);
    const everyCode = Array.from({ length: 256 }, (_, code) => code);
    const result = await repository.local(signal)(['merge-file', '--stdout', '--quiet', oursFile, baseFile, theirsFile], {
      expected: everyCode,
    });
    return result.exitCode === 0 ? { kind: 'clean', content: result.stdout } : { kind: 'conflict' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
