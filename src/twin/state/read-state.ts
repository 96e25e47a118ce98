import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recover } from './recover.ts';
import type { Snapshot } from './snapshot.ts';
import { damaged } from './state-trouble.ts';

export interface StoredState {
  readonly snapshot: Snapshot;
  /** So much of the log is whole. */
  readonly logBytes: number;
}

/**
 * What a twin left in its folder; undefined where nothing began yet. A write that was cut short is dropped: it was never answered. Needs no
 * lock: what a process is writing just now is not part of it.
 *
 * @throws PoimenError `TwinStateDamaged` when something else is missing.
 */
export const readState = (directory: string): StoredState | undefined => {
  const snapshot = readIfThere(join(directory, 'snapshot'));
  if (snapshot === undefined) return undefined;
  const recovery = recover(snapshot, readIfThere(join(directory, 'log')) ?? Buffer.alloc(0));
  if (recovery.kind === 'damaged') throw damaged(directory, recovery.detail);
  return recovery;
};

const readIfThere = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};
