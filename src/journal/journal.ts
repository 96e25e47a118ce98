import type { Mutation } from '../steps/step-kind.ts';

/** What a run puts on record. `at` is RFC 3339 on the run's clock. */
export type JournalRecord =
  /** Before a write is sent: enough to tell afterwards whether it happened, and to take it back. */
  | {
      readonly type: 'intent';
      readonly at: string;
      readonly step: string;
      readonly object: string;
      readonly patch: Mutation['patch'];
      readonly preimage: Preimage;
    }
  /** The step's effect was observed. */
  | { readonly type: 'done'; readonly at: string; readonly step: string; readonly evidence?: string }
  /** The step had nothing to do. */
  | { readonly type: 'skipped'; readonly at: string; readonly step: string; readonly reason: string }
  | { readonly type: 'failed'; readonly at: string; readonly step: string; readonly reason: string };

/** The fields that a write replaces, by JSON Pointer. A field that was absent is not in it. */
export type Preimage = Readonly<Record<string, unknown>>;

export type RunState = 'open' | 'completed' | 'halted' | 'interrupted';

/** The record of one run: appended to, in order, never changed. */
export interface Journal {
  /** Takes the record in; `commit` stores it. */
  record(record: JournalRecord): void;

  /** Resolves when everything recorded so far is stored. Throws what the store throws. */
  commit(): Promise<void>;

  /** Stores what is left and how the run ended. */
  finish(state: Exclude<RunState, 'open'>): Promise<void>;
}
