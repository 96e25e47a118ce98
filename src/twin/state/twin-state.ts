import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PoimenError } from '../../errors/poimen-error.ts';
import type { Commit } from '../api/change-history.ts';
import { readState } from './read-state.ts';
import { batchOf, keyOf, type Batch, type Snapshot } from './snapshot.ts';
import { formatLine } from './state-file.ts';
import { takeStateLock, type StateLock } from './state-lock.ts';
import { notOpened, notWritten } from './state-trouble.ts';

/** Where the state comes from while the twin runs. */
export interface StateSource {
  version(): number;
  timeMs(): number;
  snapshot(): Snapshot;
}

/** A log longer than this is folded into the snapshot. */
const longestLogBytes = 1024 * 1024;

/**
 * The state of one twin on disk: a snapshot, and a log of what was committed since. First `read`, then `start`; from then on
 * `record` each commit, and `sync` before anything is answered.
 */
export class TwinState {
  private readonly directory: string;
  private readonly lock: StateLock;
  /** File descriptor; opened for appending. */
  private readonly log: number;
  private readonly pending = new Map<string, Commit>();
  private source: StateSource | undefined;
  private logBytes = 0;
  private writtenTimeMs = 0;
  private failure: PoimenError | undefined;

  /** @throws PoimenError `TwinLocked`, `TwinStateNotWritable`. */
  static open(directory: string): TwinState {
    let lock: StateLock | undefined;
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      lock = takeStateLock(directory);
      return new TwinState(directory, lock);
    } catch (error) {
      lock?.release();
      throw error instanceof PoimenError ? error : notOpened(directory, error);
    }
  }

  private constructor(directory: string, lock: StateLock) {
    this.directory = directory;
    this.lock = lock;
    this.log = openSync(join(directory, 'log'), 'a', 0o600);
  }

  /** What the last process left, as `readState` reads it. */
  read(): Snapshot | undefined {
    const stored = readState(this.directory);
    this.logBytes = stored?.logBytes ?? 0;
    return stored?.snapshot;
  }

  /** Goes on from what was read, or begins anew with what the source has now. */
  start(source: StateSource, begin: 'anew' | 'where it was'): void {
    this.source = source;
    this.guarded(() => {
      if (begin === 'where it was') ftruncateSync(this.log, this.logBytes);
      else {
        rmSync(join(this.directory, 'snapshot'), { force: true });
        this.syncDirectory();
        this.emptyLog();
        this.writeSnapshot(source);
        this.pending.clear();
      }
    });
    this.writtenTimeMs = source.timeMs();
  }

  record(commit: Commit): void {
    this.pending.set(keyOf({ resource: commit.resource, object: commit.change.object }), commit);
  }

  /**
   * Everything recorded is on disk when this returns.
   *
   * @throws PoimenError `TwinStateNotWritten`: nothing that was recorded since the last time counts, and nothing is accepted any more.
   */
  sync(): void {
    if (this.failure !== undefined) throw this.failure;
    const { source } = this;
    if (source === undefined || this.pending.size === 0) return;
    this.guarded(() => {
      this.append(batchOf(this.pending, source.version(), source.timeMs()));
    });
    this.pending.clear();
    if (this.logBytes > longestLogBytes) this.compact(source);
  }

  /** Writes what is left, and how late it is, and lets the next process in. */
  close(): void {
    const { source } = this;
    try {
      if (source === undefined || this.failure !== undefined) return;
      const isLater = source.timeMs() > this.writtenTimeMs;
      if (isLater || this.pending.size > 0) this.guarded(() => this.append(batchOf(this.pending, source.version(), source.timeMs())));
    } finally {
      closeSync(this.log);
      this.lock.release();
    }
  }

  /** When this fails, nothing is lost: the log still says everything, and the next `sync` tries again. */
  private compact(source: StateSource): void {
    try {
      this.writeSnapshot(source);
    } catch {
      rmSync(join(this.directory, 'snapshot.new'), { force: true });
    }
  }

  private append(batch: Batch): void {
    const line = Buffer.from(formatLine(batch));
    try {
      writeFileSync(this.log, line);
      fdatasyncSync(this.log);
    } catch (error) {
      ftruncateSync(this.log, this.logBytes);
      throw error;
    }
    this.logBytes += line.length;
    this.writtenTimeMs = batch.timeMs;
  }

  /** The snapshot changes as a whole, by renaming. Until the log is emptied, it says again what the snapshot contains. */
  private writeSnapshot(source: StateSource): void {
    const path = join(this.directory, 'snapshot');
    const file = openSync(`${path}.new`, 'w', 0o600);
    try {
      writeFileSync(file, formatLine(source.snapshot()));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.new`, path);
    this.syncDirectory();
    this.emptyLog();
  }

  private emptyLog(): void {
    ftruncateSync(this.log, 0);
    this.logBytes = 0;
    fdatasyncSync(this.log);
  }

  private syncDirectory(): void {
    const directory = openSync(this.directory, 'r');
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  }

  private guarded(write: () => void): void {
    try {
      if (!this.lock.isHeld()) throw new Error('another process has taken the lock');
      write();
    } catch (error) {
      this.failure = notWritten(this.directory, error);
      throw this.failure;
    }
  }
}
