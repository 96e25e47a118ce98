import type { Cancel, Clock } from './clock.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly foreground: boolean;
  readonly callback: () => void;
}

/**
 * How many real milliseconds a jump of `virtualMs` may take. Returns 0 to jump at once.
 * A terminal is paced so that a person can follow; a pipe is not.
 */
export type Pace = (virtualMs: number) => number;

export const unpaced: Pace = () => 0;

const paceSliceMs = 40;

/**
 * Time that moves only while somebody waits for it.
 *
 * There are two kinds of timers. `after` belongs to whoever uses the cluster (a deadline, a pause between two tries): as long
 * as one is pending, time runs. `schedule` belongs to the simulated cluster itself (a pod that becomes ready in four
 * minutes): it fires when time gets there but does not move time by itself, so a cluster that nobody is waiting for stands
 * still. Time jumps from timer to timer, one a macrotask, so that everything a timer caused (promises included) has
 * happened before the next one fires. Timers due at the same instant fire in the order in which they were set: the same
 * inputs give the same trace.
 */
export class VirtualClock implements Clock {
  private timeMs: number;
  private order = 0;
  private foreground = 0;
  private running = false;
  private isTakenOver = false;
  private readonly timers: Timer[] = [];
  private readonly pace: Pace;

  constructor(startMs: number, pace: Pace = unpaced) {
    this.timeMs = startMs;
    this.pace = pace;
  }

  now(): number {
    return this.timeMs;
  }

  /** The same: nobody sets virtual time. */
  monotonicMs(): number {
    return this.timeMs;
  }

  after(delayMs: number, callback: () => void): Cancel {
    return this.add(delayMs, callback, true);
  }

  /** A timer of the simulated cluster: fires when time gets there, never moves time. */
  schedule(delayMs: number, callback: () => void): Cancel {
    return this.add(delayMs, callback, false);
  }

  /**
   * Fires the simulated cluster's timers one right after the other, until none is left or the next one is more than `limitMs`
   * away from now. For a cluster that nobody uses yet: it must not have any timers of a user's.
   */
  fastForward(limitMs: number): void {
    const untilMs = this.timeMs + limitMs;
    for (let next = this.timers[0]; next !== undefined && next.at <= untilMs; next = this.timers[0]) {
      this.timers.shift();
      this.timeMs = next.at;
      next.callback();
    }
  }

  /** From now on time moves by `advanceTo` alone: another clock sets the pace. */
  takeOver(): void {
    this.isTakenOver = true;
  }

  /** When the next timer of either kind is due. */
  get nextTimerAt(): number | undefined {
    return this.timers[0]?.at;
  }

  /** Fires what is due until then, one right after the other, and makes it that time. Never goes back. */
  advanceTo(timeMs: number): void {
    for (let next = this.timers[0]; next !== undefined && next.at <= timeMs; next = this.timers[0]) {
      this.timers.shift();
      this.timeMs = next.at;
      if (next.foreground) this.foreground--;
      next.callback();
    }
    this.timeMs = Math.max(this.timeMs, timeMs);
  }

  private add(delayMs: number, callback: () => void, foreground: boolean): Cancel {
    const timer: Timer = { at: this.timeMs + Math.max(0, delayMs), order: this.order++, foreground, callback };
    let low = 0;
    let high = this.timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.timers[middle];
      if (other !== undefined && other.at <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.timers.splice(low, 0, timer);
    if (foreground) {
      this.foreground++;
      this.run();
    }
    return () => {
      const index = this.timers.indexOf(timer);
      if (index < 0) return;
      this.timers.splice(index, 1);
      if (foreground) this.foreground--;
    };
  }

  private run(): void {
    if (this.running || this.isTakenOver) return;
    this.running = true;
    setImmediate(() => this.step());
  }

  private step(): void {
    const next = this.timers[0];
    if (this.foreground === 0 || next === undefined || this.isTakenOver) {
      this.running = false;
      return;
    }
    const jumpMs = next.at - this.timeMs;
    const paceMs = jumpMs > 0 ? this.pace(jumpMs) : 0;
    if (paceMs > paceSliceMs) {
      // A slice at a time, so that whoever reads the time meanwhile sees it pass, and so that a timer that is set
      // or cancelled meanwhile counts.
      this.timeMs += Math.round(jumpMs * (paceSliceMs / paceMs));
      setTimeout(() => this.step(), paceSliceMs);
      return;
    }
    this.timeMs = next.at;
    this.timers.shift();
    if (next.foreground) this.foreground--;
    next.callback();
    if (paceMs > 0) setTimeout(() => this.step(), paceMs);
    else setImmediate(() => this.step());
  }
}
