import type { LocalGit } from './git-repository.ts';

/** One path that a commit changed. Absent: there was, or is, no such file. */
export interface FileChange {
  readonly before?: FileVersion;
  readonly after?: FileVersion;
}

export interface FileVersion {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

export const isAncestor = async (local: LocalGit, ancestor: string, descendant: string): Promise<boolean> =>
  (await local(['merge-base', '--is-ancestor', ancestor, descendant], { expected: [0, 1] })).exitCode === 0;

export const mergeBases = async (local: LocalGit, left: string, right: string): Promise<readonly string[]> =>
  lines((await local(['merge-base', '--all', left, right], { expected: [0, 1] })).stdout);

/** Ids, newest first. */
export const revList = async (local: LocalGit, args: readonly string[]): Promise<readonly string[]> =>
  lines((await local(['rev-list', ...args])).stdout);

/** Each commit with its parents. */
export const parentsOf = async (local: LocalGit, args: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> =>
  new Map(
    (await revList(local, ['--parents', ...args])).map((line) => {
      const [id = '', ...parents] = line.split(' ');
      return [id, parents];
    }),
  );

export const lines = (output: Buffer): readonly string[] =>
  output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

export interface DiffOptions {
  readonly paths?: readonly string[];
  /** Contents have to be here for it. */
  readonly findRenames?: boolean;
}

/** What turns one tree into the other. `from` absent: into what was empty before. */
export const diffTrees = async (
  local: LocalGit,
  from: string | undefined,
  to: string,
  { paths = [], findRenames = false }: DiffOptions = {},
): Promise<readonly FileChange[]> => {
  const flags = ['-r', '-z', '--raw', '--no-abbrev', '--no-commit-id', findRenames ? '-M' : '--no-renames', '-l0'];
  const what = from === undefined ? ['--root', to] : [from, to];
  return parseRaw(fields((await local(['diff-tree', ...flags, ...what, '--', ...paths])).stdout));
};

/** What each commit changed against its only or first parent, all in one process. */
export const changesOfEach = async (
  local: LocalGit,
  ids: readonly string[],
  paths: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly FileChange[]>> => {
  const result = new Map<string, readonly FileChange[]>();
  if (ids.length === 0) return result;
  const flags = ['--stdin', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--root', '--always'];
  const { stdout } = await local(['diff-tree', ...flags, '--', ...paths], { input: `${ids.join('\n')}\n` });
  let current: string | undefined;
  let own: string[] = [];
  const finish = (): void => {
    if (current !== undefined) result.set(current, parseRaw(own));
  };
  const all = fields(stdout);
  for (let at = 0; at < all.length; at++) {
    const field = all[at] ?? '';
    if (field.startsWith(':')) {
      own.push(field, all[++at] ?? '');
    } else {
      finish();
      current = field.trim();
      own = [];
    }
  }
  finish();
  return result;
};

const fields = (output: Buffer): readonly string[] => {
  const all = output.toString('utf8').split('\0');
  return all.at(-1) === '' ? all.slice(0, -1) : all;
};

/** Source: git documentation, git-diff-tree "RAW OUTPUT FORMAT", with -z. */
const parseRaw = (all: readonly string[]): readonly FileChange[] => {
  const changes: FileChange[] = [];
  for (let at = 0; at < all.length;) {
    const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = (all[at++] ?? '').slice(1).split(' ');
    const oldPath = all[at++] ?? '';
    const newPath = /^[RC]/.test(status) ? (all[at++] ?? '') : oldPath;
    changes.push({
      ...(isNone(oldMode) ? {} : { before: { path: oldPath, mode: oldMode, id: oldId } }),
      ...(isNone(newMode) ? {} : { after: { path: newPath, mode: newMode, id: newId } }),
    });
  }
  return changes;
};

const isNone = (mode: string): boolean => /^0+$/.test(mode);

export const gitlinkMode = '160000';
const regularModes = new Set(['100644', '100755']);
export const isRegularFile = ({ mode }: FileVersion): boolean => regularModes.has(mode);

/** The files at these paths of a tree; a path may be a folder. */
export const filesAt = async (local: LocalGit, tree: string, paths: readonly string[]): Promise<readonly FileVersion[]> => {
  if (paths.length === 0) return [];
  const { stdout } = await local(['ls-tree', '-r', '-z', '--full-tree', tree, '--', ...paths]);
  return fields(stdout).flatMap((entry) => {
    const tab = entry.indexOf('\t');
    const [mode = '', , id = ''] = entry.slice(0, tab).split(' ');
    return tab < 0 ? [] : [{ path: entry.slice(tab + 1), mode, id }];
  });
};

/** Contents of a change that a diff needs: not those of submodules, which are another repository's commits. */
export const contentsOf = (changes: readonly FileChange[]): readonly string[] =>
  changes.flatMap(({ before, after }) =>
    [before, after].flatMap((version) => (version === undefined || version.mode === gitlinkMode ? [] : [version.id])),
  );

/**
 * One id a change, equal for equal changes wherever they stand in their files: white space counts, line numbers do not. The contents have to be
 * here. A commit may be given with the parent to compare it with: `COMMIT PARENT`.
 *
 * Source: git documentation, git-patch-id --verbatim.
 */
export const patchIds = async (
  local: LocalGit,
  commits: readonly string[],
  paths: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> => {
  if (commits.length === 0) return new Map();
  const flags = [
    '--stdin',
    '-r',
    '-p',
    '--root',
    '--no-renames',
    '--full-index',
    '--no-ext-diff',
    '--no-textconv',
    '--diff-algorithm=myers',
    '-U3',
  ];
  const { stdout } = await local(['diff-tree', ...flags, '--', ...paths], { input: `${commits.join('\n')}\n` });
  return patchIdsOf(local, stdout);
};

export const patchIdsOf = async (local: LocalGit, diffs: Uint8Array): Promise<ReadonlyMap<string, string>> => {
  const { stdout } = await local(['patch-id', '--verbatim'], { input: diffs });
  return new Map(
    lines(stdout).map((line) => {
      const [patchId = '', commit = ''] = line.split(' ');
      return [commit, patchId];
    }),
  );
};
