import type { RunResult } from './event.ts';
import { rfc3339 } from './rfc3339.ts';

interface Window {
  readonly fromMs: number;
  readonly toMs: number | undefined;
}

/** How long the Service had no ready endpoint, from what was observed of it in order. */
export class OutageRecord {
  private readonly windows: Window[] = [];

  /** Call with each change of the set of ready backends, and once at the beginning. */
  observe(atMs: number, ready: number): void {
    const last = this.windows.at(-1);
    const open = last !== undefined && last.toMs === undefined;
    if (ready === 0 && !open) this.windows.push({ fromMs: atMs, toMs: undefined });
    if (ready > 0 && open) this.windows[this.windows.length - 1] = { fromMs: last.fromMs, toMs: atMs };
  }

  result(nowMs: number): NonNullable<RunResult['outage']> {
    return {
      totalMs: this.windows.reduce((sum, { fromMs, toMs }) => sum + (toMs ?? nowMs) - fromMs, 0),
      windows: this.windows.map(({ fromMs, toMs }) => ({ from: rfc3339(fromMs), to: toMs === undefined ? undefined : rfc3339(toMs) })),
    };
  }
}
