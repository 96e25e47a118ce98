import type { Clock } from './clock.ts';

/**
 * The machine's clocks. Timers keep the process alive until they fire or are cancelled.
 *
 * The monotonic one, which timers follow too, goes on while the process is stopped (SIGSTOP) and stands still while the machine sleeps.
 *
 * Source: clock_gettime(2), CLOCK_MONOTONIC; libuv, uv_hrtime.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.max(0, delayMs)); // Node warns of a time that has passed
    return () => clearTimeout(timer);
  },
};
