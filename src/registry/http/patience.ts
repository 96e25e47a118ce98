import type { Clock } from '../../clock/clock.ts';

/** How slow an answer's body may be. */
export interface Patience {
  /** Nothing at all may come for so long. */
  readonly graceMs: number;
  /** What a server has to send on average, or its grace is used up. */
  readonly minBytesPerSecond: number;
}

/**
 * The chunks as they come. Only the time in which one is waited for counts, so a slow reader is not taken for a slow server. `late` is
 * called once patience is at an end; it has to make the wait fail.
 */
export async function* patiently(
  chunks: AsyncIterable<Uint8Array>,
  clock: Clock,
  { graceMs, minBytesPerSecond }: Patience,
  late: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  let leftMs = graceMs;
  try {
    for (;;) {
      const startMs = clock.monotonicMs();
      const cancel = clock.after(leftMs, late);
      let next: IteratorResult<Uint8Array>;
      try {
        next = await iterator.next();
      } finally {
        cancel();
      }
      if (next.done === true) return;
      const earnedMs = (next.value.length / minBytesPerSecond) * 1_000;
      leftMs = Math.min(graceMs, leftMs - (clock.monotonicMs() - startMs) + earnedMs);
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
