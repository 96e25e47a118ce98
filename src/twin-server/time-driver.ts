import type { VirtualClock } from '../clock/virtual-clock.ts';

/** How the time of a served twin passes. See docs/adr/0007. */
export type ServedPace =
  /** As real time does, or so many times as fast. */
  | { readonly kind: 'real'; readonly factor: number }
  /** Not at all, but after each request everything happens that is going to happen: the same requests give the same run. */
  | { readonly kind: 'instant' };

export interface TimeDriver {
  /** Before a request is looked at: it finds the state of this moment. */
  catchUp(): void;
  /** After a request: it may have given the cluster something to do. */
  touched(): void;
  stop(): void;
}

export interface TimeDriverOptions {
  readonly clock: VirtualClock;
  readonly pace: ServedPace;
  /** Milliseconds that only grow, from whenever. */
  readonly realNow: () => number;
  /** Calls back after real milliseconds. Returns how to stop that. */
  readonly later: (delayMs: number, callback: () => void) => () => void;
  /** Called after time has passed: makes what happened meanwhile durable. */
  readonly passed: () => void;
}

/** What begins again and again, like a container that crashes, does so for so long after a request. */
const settlingLimitMs = 60 * 60 * 1000;

/** How long a pause may be: a timer of Node's takes no more than 24 days. */
const longestPauseMs = 60_000;

/** Takes the clock over. Real time leads; the simulated one follows it, timer by timer. */
export const startTimeDriver = (options: TimeDriverOptions): TimeDriver => {
  options.clock.takeOver();
  return options.pace.kind === 'instant' ? instantDriver(options) : new RealTimeDriver(options, options.pace.factor);
};

const instantDriver = ({ clock, passed }: TimeDriverOptions): TimeDriver => ({
  catchUp: () => undefined,
  touched: () => {
    clock.fastForward(settlingLimitMs);
    passed();
  },
  stop: () => undefined,
});

class RealTimeDriver implements TimeDriver {
  private readonly options: TimeDriverOptions;
  private readonly factor: number;
  private readonly startedMs: number;
  private readonly startedRealMs: number;
  private cancel: () => void = () => undefined;
  private stopped = false;

  constructor(options: TimeDriverOptions, factor: number) {
    this.options = options;
    this.factor = factor;
    this.startedMs = options.clock.now();
    this.startedRealMs = options.realNow();
    this.touched();
  }

  catchUp(): void {
    const { clock, realNow, passed } = this.options;
    clock.advanceTo(Math.floor(this.startedMs + (realNow() - this.startedRealMs) * this.factor));
    passed();
  }

  touched(): void {
    this.cancel();
    if (this.stopped) return;
    const { clock, later } = this.options;
    const next = clock.nextTimerAt;
    const pauseMs = next === undefined ? longestPauseMs : Math.max(0, next - clock.now()) / this.factor;
    this.cancel = later(Math.min(longestPauseMs, Math.ceil(pauseMs)), () => {
      this.catchUp();
      this.touched();
    });
  }

  stop(): void {
    this.stopped = true;
    this.cancel();
  }
}
