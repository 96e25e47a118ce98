import { readCommits } from './commit.ts';
import type { GitRepository } from './git-repository.ts';

export type Resolved =
  | { readonly kind: 'commit'; readonly id: string; /** `v1.2`: tags can be moved. */ readonly tag?: string }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly { readonly id: string; readonly subject: string }[] }
  | { readonly kind: 'branch'; readonly branch: string; readonly id: string }
  | { readonly kind: 'notACommit'; readonly type: string }
  /** The source was asked for it, if it is a whole id, and does not have it. */
  | { readonly kind: 'absent' };

const isId = /^[0-9a-f]{4,64}$/i;

/** What a person, a label or an attestation calls a commit: its id in full or the beginning of it, or a tag. */
export const resolveCommit = async (repository: GitRepository, text: string, signal?: AbortSignal): Promise<Resolved> => {
  const tag = text.replace(/^refs\/tags\//, '');
  const tagged = repository.refs.find(({ name }) => name === `refs/tags/${tag}` || name === `refs/origin/tags/${tag}`);
  const candidates = isId.test(text) ? await commitsBeginningWith(repository, text.toLowerCase(), signal) : [];
  const ids = [...new Set([...candidates, ...(tagged === undefined ? [] : [tagged.commit])])];
  const [first, second] = ids;
  if (second !== undefined) {
    const commits = await readCommits(repository.local(signal), ids);
    return { kind: 'ambiguous', candidates: commits.map(({ id, subject }) => ({ id, subject })) };
  }
  if (first !== undefined) return { kind: 'commit', id: first, ...(tagged === undefined ? {} : { tag }) };
  if (isId.test(text)) {
    const type = await typeOf(repository, text, signal);
    if (type !== undefined) return { kind: 'notACommit', type };
  }
  const branch = text.replace(/^refs\/heads\//, '');
  const tip = repository.refs.find(({ name }) => name === `refs/heads/${branch}` || name === `refs/origin/heads/${branch}`);
  return tip === undefined ? { kind: 'absent' } : { kind: 'branch', branch, id: tip.commit };
};

const commitsBeginningWith = async (
  repository: GitRepository,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> => {
  const local = repository.local(signal);
  const isWhole = prefix.length === (repository.objectFormat === 'sha256' ? 64 : 40);
  if (isWhole) await repository.fetchObjects([prefix], signal);
  const listed = isWhole ? prefix : (await local(['rev-parse', `--disambiguate=${prefix}`])).stdout.toString('utf8');
  const { stdout } = await local(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input: `${listed.trim()}\n` });
  const found = stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const commits = found.flatMap(([id = '', type]) => (type === 'commit' ? [id] : []));
  const tags = found.flatMap(([id = '', type]) => (type === 'tag' ? [id] : []));
  const peeled = await Promise.all(tags.map((id) => peel(repository, id, signal)));
  return [...commits, ...peeled.flat()];
};

const peel = async (repository: GitRepository, id: string, signal: AbortSignal | undefined): Promise<readonly string[]> => {
  const { exitCode, stdout } = await repository.local(signal)(['rev-parse', '--verify', '--quiet', '--end-of-options', `${id}^{commit}`], {
    expected: [0, 1, 128],
  });
  // Older versions print --end-of-options, too.
  return exitCode === 0 ? [stdout.toString('utf8').trim().split('\n').at(-1) ?? ''] : [];
};

const typeOf = async (repository: GitRepository, id: string, signal: AbortSignal | undefined): Promise<string | undefined> => {
  const { exitCode, stdout } = await repository.local(signal)(['cat-file', '-t', id], { expected: [0, 1, 128] });
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
};
