import type { Resource } from '../../kubernetes/resource.ts';
import type { StoreChange } from './store.ts';

/** One committed change, with the version that it made. */
export interface Commit {
  readonly version: number;
  readonly resource: Resource;
  readonly change: StoreChange;
}

/** The latest commits, as many as a watch may want to catch up on. */
export class ChangeHistory {
  private commits: Commit[] = [];
  /** Everything after this version is known. */
  private oldest: number;
  private readonly limit: number;

  constructor(oldest: number, limit: number) {
    this.oldest = oldest;
    this.limit = limit;
  }

  get oldestVersion(): number {
    return this.oldest;
  }

  add(commit: Commit): void {
    this.commits.push(commit);
    if (this.commits.length < 2 * this.limit) return;
    const forgotten = this.commits.length - this.limit;
    this.oldest = this.commits[forgotten - 1]?.version ?? this.oldest;
    this.commits = this.commits.slice(forgotten);
  }

  /** A server that has just started knows nothing of what happened before. */
  forget(version: number): void {
    this.commits = [];
    this.oldest = version;
  }

  /** What happened after `version`; undefined when that is too long ago. */
  since(version: number): readonly Commit[] | undefined {
    if (version < this.oldest) return undefined;
    return this.commits.filter((commit) => commit.version > version);
  }
}
