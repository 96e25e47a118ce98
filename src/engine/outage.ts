import type { Moment } from '../clock/clock.ts';
import type { RunResult } from './event.ts';
import { rfc3339 } from './rfc3339.ts';

interface Window {
  readonly from: Moment;
  readonly to: Moment | undefined;
}

/** How long the Service had no ready endpoint, from what was observed of it in order. */
export class OutageRecord {
  private readonly windows: Window[] = [];

  /** Call with each change of the set of ready backends, and once at the beginning. */
  observe(at: Moment, ready: number): void {
    const last = this.windows.at(-1);
    const open = last !== undefined && last.to === undefined;
    if (ready === 0 && !open) this.windows.push({ from: at, to: undefined });
    if (ready > 0 && open) this.windows[this.windows.length - 1] = { from: last.from, to: at };
  }

  /** The total is measured; the windows say when, on a clock that may have been set meanwhile. */
  result(now: Moment): NonNullable<RunResult['outage']> {
    return {
      totalMs: Math.round(this.windows.reduce((sum, { from, to }) => sum + (to ?? now).monotonicMs - from.monotonicMs, 0)),
      windows: this.windows.map(({ from, to }) => ({
        from: rfc3339(from.epochMs),
        to: to === undefined ? undefined : rfc3339(to.epochMs),
      })),
    };
  }
}
