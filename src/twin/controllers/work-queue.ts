import type { Cancel } from '../../clock/clock.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';
import { ApiError } from '../../cluster/api-error.ts';

const firstRetryMs = 5;
const longestRetryMs = 1_000_000;

/**
 * Keys that wait to be reconciled, each once however often it is asked for; of several moments asked for, the earliest counts.
 * A reconcile that the API refuses is tried again after 5, 10, 20, ... ms, at most 1000 s.
 *
 * Source: client-go `util/workqueue`, DefaultControllerRateLimiter.
 */
export class WorkQueue {
  private readonly clock: VirtualClock;
  private readonly latencyMs: number;
  private readonly reconcile: (key: string) => void;
  private readonly waiting = new Map<string, { readonly at: number; readonly cancel: Cancel }>();
  private readonly failures = new Map<string, number>();

  /** `latencyMs` passes between a change and the reconcile that it causes. */
  constructor(clock: VirtualClock, latencyMs: number, reconcile: (key: string) => void) {
    this.clock = clock;
    this.latencyMs = latencyMs;
    this.reconcile = reconcile;
  }

  add(key: string): void {
    this.addAfter(key, this.latencyMs);
  }

  addAfter(key: string, delayMs: number): void {
    const at = this.clock.now() + delayMs;
    const other = this.waiting.get(key);
    if (other !== undefined) {
      if (other.at <= at) return;
      other.cancel();
    }
    this.waiting.set(key, { at, cancel: this.clock.schedule(delayMs, () => this.process(key)) });
  }

  stop(): void {
    for (const { cancel } of this.waiting.values()) cancel();
    this.waiting.clear();
  }

  private process(key: string): void {
    this.waiting.delete(key);
    try {
      this.reconcile(key);
      this.failures.delete(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const failures = this.failures.get(key) ?? 0;
      this.failures.set(key, failures + 1);
      this.addAfter(key, Math.min(firstRetryMs * 2 ** failures, longestRetryMs));
    }
  }
}
