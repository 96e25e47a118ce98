import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainSourceError } from './explain-source-error.ts';
import { GitError, isGitError } from './git-error.ts';
import { expectExit, type RunGit } from './git-process.ts';
import type { GitRef, GitRepository, LocalGit } from './git-repository.ts';
import { parseGitSource, type GitSource } from './git-source.ts';

/** The first that has `patch-id --verbatim`. */
const oldestVersion = [2, 39] as const;

/** A source on this disk gives what a server gives: no contents that were not asked for, and any object by its id. */
const obligingUploadPack = 'git -c uploadpack.allowFilter=true -c uploadpack.allowAnySHA1InWant=true upload-pack';

/**
 * Copies a source: commits and trees at once, contents when they are asked for.
 *
 * A copy that ends early (a shallow clone) is completed from where it came from; where that fails, `cutOff` says why.
 *
 * @throws GitError
 */
export const openRepository = async (git: RunGit, source: GitSource, signal?: AbortSignal): Promise<GitRepository> => {
  const base = await mkdtemp(join(tmpdir(), 'poimen-git-'));
  const remove = (): Promise<void> => rm(base, { recursive: true, force: true });
  try {
    await checkVersion(git, base, signal);
    const isFolder = source.transport === 'file' && (await isDirectory(source));
    const directory = join(base, 'copy.git');
    await clone(git, { source, isFolder, base, directory, signal });
    const localFor =
      (current: AbortSignal | undefined): LocalGit =>
      async (args, options = {}) => {
        const { expected, ...rest } = options;
        const result = await git({ args, cwd: base, gitDir: directory, signal: current, ...rest });
        return expectExit(result, args[0] ?? '', ...(expected ?? []));
      };
    const fetchFrom = (from: GitSource, args: readonly string[], input: string, current: AbortSignal | undefined): ReturnType<RunGit> =>
      git({
        args: [
          ...partialRemote(from),
          ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--filter=blob:none'],
          ...(from.transport === 'file' ? ['--upload-pack', obligingUploadPack] : []),
          ...args,
        ],
        transport: from.transport,
        cwd: base,
        gitDir: directory,
        input,
        what: `fetch from ${from.shown}`,
        signal: current,
      });

    const local = localFor(signal);
    const completion = (await isCutOff(local)) ? await complete(source, isFolder, local, fetchFrom, signal) : {};
    const refs = parseRefs((await local(['for-each-ref', `--format=${refFormat}`])).stdout.toString('utf8'));
    const format = (await local(['rev-parse', '--show-object-format'])).stdout.toString('utf8').trim();

    return {
      source,
      directory,
      objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
      cutOff: completion.cutOff,
      refs,
      local: localFor,
      async fetchObjects(ids, current) {
        const run = localFor(current);
        let missing = await missingObjects(run, [...new Set(ids)]);
        for (const from of completion.from === undefined ? [source] : [source, completion.from]) {
          if (missing.length === 0) break;
          const result = await fetchFrom(from, ['--stdin', 'origin'], `${missing.join('\n')}\n`, current);
          const isRefusal = /not our ref|upload-pack: not our|couldn't find remote ref|no such remote ref|unadvertised object/i.test(
            result.stderr,
          );
          if (result.exitCode !== 0 && !isRefusal) {
            if (from === source) throw explainSourceError(from, `${missing.length} objects`, result.stderr);
            break;
          }
          // One that the source does not have fails all that were asked for with it.
          if (isRefusal && missing.length > 1 && missing.length <= 8)
            for (const id of missing) await fetchFrom(from, ['--stdin', 'origin'], `${id}\n`, current);
          missing = await missingObjects(run, missing);
        }
        return missing;
      },
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
};

const checkVersion = async (git: RunGit, cwd: string, signal: AbortSignal | undefined): Promise<void> => {
  const { stdout } = await git({ args: ['version'], cwd, signal });
  const [, major = '', minor = ''] = /(\d+)\.(\d+)/.exec(stdout.toString('utf8')) ?? [];
  const [oldestMajor, oldestMinor] = oldestVersion;
  if (Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor)) return;
  throw new GitError({
    code: 'GitTooOld',
    summary: `git ${major}.${minor} is too old: it cannot compare changes with their white space`,
    nextSteps: [`install git ${oldestVersion.join('.')} or newer`],
  });
};

const isDirectory = async (source: GitSource): Promise<boolean> => {
  try {
    return (await stat(source.address)).isDirectory();
  } catch (cause) {
    throw explainSourceError(source, 'a clone', (cause as Error).message.replace(/^ENOENT: /, ''));
  }
};

interface Clone {
  readonly source: GitSource;
  readonly isFolder: boolean;
  readonly base: string;
  readonly directory: string;
  readonly signal: AbortSignal | undefined;
}

/** Not as a local clone, which takes objects over without hashing them. */
const clone = async (git: RunGit, { source, isFolder, base, directory, signal }: Clone): Promise<void> => {
  const result = await git({
    args: [
      ...['clone', '--quiet', '--bare', '--no-local', '--template=', '--no-recurse-submodules', '--filter=blob:none'],
      ...(isFolder ? ['--upload-pack', obligingUploadPack] : []),
      ...['--', source.address, directory],
    ],
    transport: source.transport,
    cwd: base,
    what: `clone ${source.shown}`,
    signal,
  });
  if (result.exitCode !== 0) throw explainSourceError(source, 'a clone', result.stderr);
  // Without a remote that owes objects, one that is not here is "missing" to every process, and never fetched behind our back.
  await git({
    args: ['config', '--file', join(directory, 'config'), '--remove-section', 'remote.origin'],
    cwd: base,
    what: 'config',
    signal,
  });
};

/** Only a fetch knows the remote, and that it still owes contents. */
const partialRemote = (source: GitSource): readonly string[] =>
  [`url=${source.address}`, 'promisor=true', 'partialclonefilter=blob:none', 'mirror=false'].flatMap((setting) => [
    '-c',
    `remote.origin.${setting}`,
  ]);

const isCutOff = async (local: LocalGit): Promise<boolean> =>
  (await local(['rev-parse', '--is-shallow-repository'])).stdout.toString('utf8').trim() === 'true';

interface Completion {
  readonly from?: GitSource;
  readonly cutOff?: string;
}

type FetchFrom = (from: GitSource, args: readonly string[], input: string, signal: AbortSignal | undefined) => ReturnType<RunGit>;

/** Asks for the rest of the history where the source itself came from. Its configuration is read as text for that, and nothing else of it. */
const complete = async (
  source: GitSource,
  isFolder: boolean,
  local: LocalGit,
  fetchFrom: FetchFrom,
  signal: AbortSignal | undefined,
): Promise<Completion> => {
  const origin = isFolder ? await originOf(source, local) : source;
  if (origin === undefined) return { cutOff: `${source.shown} is a shallow clone and names no origin` };
  const refspecs = origin === source ? [] : ['+refs/heads/*:refs/origin/heads/*', '+refs/tags/*:refs/origin/tags/*'];
  try {
    const result = await fetchFrom(origin, ['--unshallow', 'origin', ...refspecs], '', signal);
    if (!(await isCutOff(local))) return origin === source ? {} : { from: origin };
    const why =
      result.exitCode === 0 ? 'it is shallow itself' : explainSourceError(origin, 'the rest of the history', result.stderr).message;
    return { cutOff: `${source.shown} is a shallow clone, and its origin did not give the rest: ${why}` };
  } catch (error) {
    if (!isGitError(error)) throw error;
    return { cutOff: `${source.shown} is a shallow clone, and its origin did not give the rest: ${error.message}` };
  }
};

const originOf = async (source: GitSource, local: LocalGit): Promise<GitSource | undefined> => {
  for (const file of [join(source.address, '.git', 'config'), join(source.address, 'config')]) {
    const { exitCode, stdout } = await local(['config', '--file', file, '--no-includes', '--get', 'remote.origin.url'], {
      expected: [0, 1, 2, 3, 128],
    });
    const text = stdout.toString('utf8').trim();
    if (exitCode !== 0 || text === '') continue;
    try {
      return parseGitSource(text, { cwd: source.address });
    } catch (error) {
      if (isGitError(error)) return undefined;
      throw error;
    }
  }
  return undefined;
};

const refFormat = '%(objecttype) %(objectname) %(*objecttype) %(*objectname) %(refname)';

const parseRefs = (text: string): readonly GitRef[] =>
  text.split('\n').flatMap((line) => {
    const [type, id = '', peeledType, peeled = '', name = ''] = line.split(' ');
    if (name === '') return [];
    if (type === 'commit') return [{ name, commit: id }];
    return type === 'tag' && peeledType === 'commit' ? [{ name, commit: peeled }] : [];
  });

const missingObjects = async (local: LocalGit, ids: readonly string[]): Promise<readonly string[]> => {
  if (ids.length === 0) return [];
  const { stdout } = await local(['cat-file', '--batch-check=%(objectname)'], { input: `${ids.join('\n')}\n` });
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [id = '', word] = line.split(' ');
      return word === 'missing' ? [id] : [];
    });
};
