/**
 * Aborts when time is up or when the caller's own signal does. Real time, also where the backoff runs on another clock: it limits what
 * a real server takes.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly caller: AbortSignal | undefined;
  private timer: NodeJS.Timeout | undefined;
  private passed = false;

  constructor(caller: AbortSignal | undefined) {
    this.caller = caller;
    if (caller?.aborted === true) this.controller.abort(caller.reason);
    else caller?.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Time was up; false when the caller aborted first. */
  get expired(): boolean {
    return this.passed;
  }

  /** From now. 0 is no limit. */
  extend(timeoutMs: number): void {
    clearTimeout(this.timer);
    if (timeoutMs === 0) return;
    this.timer = setTimeout(() => {
      this.passed = true;
      this.controller.abort();
    }, timeoutMs);
  }

  /** Call when done, or the timer keeps the process alive. */
  clear(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.onAbort);
  }

  /** Ends what still runs under it. */
  abort(): void {
    this.clear();
    this.controller.abort();
  }

  private readonly onAbort = (): void => this.controller.abort(this.caller?.reason);
}
