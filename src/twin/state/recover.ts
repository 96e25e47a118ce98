import { isBatch, isSnapshot, replay, type Snapshot } from './snapshot.ts';
import { readLines } from './state-file.ts';

export type Recovery =
  /** `logBytes` of the log are whole; what comes after was being written when the process ended, and was never answered. */
  | { readonly kind: 'recovered'; readonly snapshot: Snapshot; readonly logBytes: number }
  | { readonly kind: 'damaged'; readonly detail: string };

/** What a twin remembers, from the contents of its two files. */
export const recover = (snapshotFile: Buffer, logFile: Buffer): Recovery => {
  const [snapshot] = readLines(snapshotFile).values;
  if (!isSnapshot(snapshot)) return { kind: 'damaged', detail: 'its snapshot is not whole, or was written by another version of poimen' };
  const { values, wholeBytes, isDamaged } = readLines(logFile);
  if (isDamaged) return { kind: 'damaged', detail: `its log is broken at byte ${wholeBytes}, and goes on after that` };
  return { kind: 'recovered', snapshot: replay(snapshot, values.filter(isBatch)), logBytes: wholeBytes };
};
