/** Takes back a callback that has not been called yet; a no-op afterwards. */
export type Cancel = () => void;

/**
 * The only source of time in poimen. Passed in everywhere, so that a run can be rehearsed in virtual time and a test
 * never sleeps.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch: for a record, and to compare with others' timestamps. It may be set forward and back at any time. */
  now(): number;

  /** Milliseconds from an arbitrary beginning, which nobody sets: for deadlines, and for how long something took. */
  monotonicMs(): number;

  /** Calls back once, when `monotonicMs` has grown by `delayMs`, unless it is cancelled before. */
  after(delayMs: number, callback: () => void): Cancel;
}

/** One moment on both: for a record, and to measure from. */
export interface Moment {
  readonly epochMs: number;
  readonly monotonicMs: number;
}

export const momentOf = (clock: Clock): Moment => ({ epochMs: clock.now(), monotonicMs: clock.monotonicMs() });

/** Resolves `delayMs` from now; rejects with the signal's reason when it is aborted first. */
export const delay = (clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
