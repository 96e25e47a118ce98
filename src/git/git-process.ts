import { execa } from 'execa';
import type { Clock } from '../clock/clock.ts';
import { quotedText } from '../registry/quoted-text.ts';
import { withTimeLimit } from '../registry/time-limit.ts';
import { gitEnvironment, hardening, type Environment } from './git-environment.ts';
import { GitError } from './git-error.ts';
import type { GitTransport } from './git-source.ts';

/** One process of git, once it has ended. */
export interface GitRecord {
  /** `fetch`: it asked the source for something. `process`: it read what is here. */
  readonly kind: 'fetch' | 'process';
  /** `log`, `fetch origin`: for `--explain`, without secrets. */
  readonly what: string;
  /** `undefined`: it was ended before. */
  readonly exitCode: number | undefined;
  readonly ms: number;
}

export type GitListener = (record: GitRecord) => void;

export interface GitSettings {
  readonly clock: Clock;
  readonly env: Environment;
  readonly listener?: GitListener;
  /** Of a process that reads what is here. */
  readonly localMs: number;
  /** Of one that fetches. */
  readonly fetchMs: number;
}

export interface GitRun {
  /** The command first, without `git`. What a person or a repository named stands behind `--` or `--end-of-options`. */
  readonly args: readonly string[];
  /** Absent: it reads what is here and may not connect to anything. */
  readonly transport?: GitTransport;
  readonly cwd: string;
  readonly gitDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Of its output. */
  readonly maxBytes?: number;
  /** For messages and the listener, where the arguments are not what a person wants to read. */
  readonly what?: string;
  readonly signal: AbortSignal | undefined;
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs the system's git. Answers with whatever exit code it has. @throws GitError where it could not run, or not to its end. */
export type RunGit = (run: GitRun) => Promise<GitResult>;

const usualMaxBytes = 64 * 1024 * 1024;

export const createGit = ({ clock, env, listener, localMs, fetchMs }: GitSettings): RunGit => {
  const live = new Set<number>();
  const endAll = (): void => live.forEach(endGroup);

  return async ({ args, transport, cwd, gitDir, env: more, input, maxBytes = usualMaxBytes, what = args[0] ?? '', signal }) => {
    const limitMs = transport === undefined ? localMs : fetchMs;
    const started = clock.monotonicMs();
    const late = (): Error =>
      new GitError({
        code: 'GitTimeout',
        summary: `git ${what} was given up after ${limitMs / 1_000} s`,
        nextSteps: ['ask again later, or give a source that is nearer: a folder or a bundle'],
      });
    let exitCode: number | undefined;
    try {
      return await withTimeLimit(clock, limitMs, signal, late, async (limited) => {
        const child = execa('git', [...hardening, ...args], {
          cwd,
          env: { ...gitEnvironment(env, transport), ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }), ...more },
          extendEnv: false,
          encoding: 'buffer',
          stripFinalNewline: false,
          ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
          reject: false,
          maxBuffer: maxBytes,
          // A session of its own: ssh finds no terminal to ask at, and the whole group can be ended.
          detached: true,
        });
        const { pid } = child;
        const onAbort = (): void => {
          if (pid !== undefined) endGroup(pid);
        };
        if (pid !== undefined) {
          if (live.size === 0) process.once('exit', endAll);
          live.add(pid);
        }
        limited.addEventListener('abort', onAbort, { once: true });
        try {
          const result = await child;
          limited.throwIfAborted();
          if (result.isMaxBuffer) {
            onAbort();
            throw tooLarge(what, maxBytes);
          }
          if (result.exitCode === undefined) throw couldNotRun(result, what);
          exitCode = result.exitCode;
          return { exitCode, stdout: Buffer.from(result.stdout), stderr: Buffer.from(result.stderr).toString('utf8') };
        } finally {
          limited.removeEventListener('abort', onAbort);
          if (pid !== undefined) {
            live.delete(pid);
            if (live.size === 0) process.removeListener('exit', endAll);
          }
        }
      });
    } finally {
      listener?.({ kind: transport === undefined ? 'process' : 'fetch', what, exitCode, ms: clock.monotonicMs() - started });
    }
  };
};

/** git, ssh, index-pack and whatever else it started: everything they write is thrown away anyway. */
const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};

const tooLarge = (what: string, maxBytes: number): GitError =>
  new GitError({
    code: 'GitOutputTooLarge',
    summary: `git ${what} answered with more than ${Math.round(maxBytes / 1024 / 1024)} MiB`,
    nextSteps: ['narrow it: --path FOLDER of the fix'],
  });

interface NotRun {
  readonly code?: string | undefined;
  readonly originalMessage?: string | undefined;
  readonly signal?: string | undefined;
}

const couldNotRun = (result: NotRun, what: string): GitError =>
  result.code === 'ENOENT'
    ? new GitError({ code: 'GitMissing', summary: 'git is not installed, or not on PATH', nextSteps: ['install git 2.39 or newer'] })
    : new GitError({
        code: 'GitFailed',
        summary: `git ${what} did not run to its end`,
        detail: quotedText(result.signal ?? result.originalMessage ?? ''),
      });

/** @throws GitError with what git said, for an exit code that is not one of the expected. */
export const expectExit = (result: GitResult, what: string, ...expected: readonly number[]): GitResult => {
  if ((expected.length === 0 ? [0] : expected).includes(result.exitCode)) return result;
  const missing = /lazy fetching disabled|could not fetch [0-9a-f]+ from promisor|unable to read|missing (blob|tree|object)|bad object/i;
  throw new GitError({
    code: missing.test(result.stderr) ? 'GitObjectMissing' : 'GitFailed',
    summary: `git ${what} failed with exit code ${result.exitCode}`,
    detail: quotedText(result.stderr, 1_000),
    nextSteps: ['--explain lists everything that was asked'],
  });
};
