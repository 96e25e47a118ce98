import type { GitResult } from './git-process.ts';
import type { GitSource } from './git-source.ts';

export interface GitRef {
  /** In full: `refs/tags/v1.2`. */
  readonly name: string;
  /** The commit that it leads to, tags peeled. */
  readonly commit: string;
}

/** Reads what is here; connects to nothing. */
export type LocalGit = (
  args: readonly string[],
  options?: {
    readonly input?: string | Uint8Array;
    readonly maxBytes?: number;
    readonly env?: Readonly<Record<string, string>>;
    readonly expected?: readonly number[];
  },
) => Promise<GitResult>;

/**
 * A bare copy of a source in a folder of its own, without hooks, configuration or replaced objects of the source. Every object was hashed
 * when it came in. File contents are fetched only when asked for.
 */
export interface GitRepository extends AsyncDisposable {
  readonly source: GitSource;
  readonly directory: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** History ends somewhere for want of commits, not because it begins there; and why it could not be completed. */
  readonly cutOff: string | undefined;
  readonly refs: readonly GitRef[];
  /** With this signal everything is ended at once. */
  local(signal: AbortSignal | undefined): LocalGit;
  /**
   * Asks the source for objects by id, all in one go. Those that are here already are asked for by nobody.
   *
   * @returns those that the source does not have, or does not give
   */
  fetchObjects(ids: readonly string[], signal: AbortSignal | undefined): Promise<readonly string[]>;
  /** Removes the copy. */
  [Symbol.asyncDispose](): Promise<void>;
}
