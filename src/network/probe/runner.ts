import type { ExecEvent } from '../../cluster/exec.ts';
import type { ToolResult } from './tool.ts';

/** Runs commands in one container. */
export interface Runner {
  /**
   * @throws RunnerGone when nothing can be run here any more, or nobody knows what became of the command; ApiError, ConnectionError when
   * it could not be asked for; the signal's reason.
   */
  run(command: readonly string[], limits: RunLimits): Promise<ToolResult>;
  close(): void;
}

export interface RunLimits {
  /** More of its stdout is not read: it is left then. */
  readonly outputBytes: number;
  /** Until it has ended. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The container, or the way to it, is gone; or the command has not ended in time. */
export class RunnerGone extends Error {
  override readonly name = 'RunnerGone';
  /** How the process ended that was to run it, where that was told. */
  readonly ending: ExecEvent | undefined;
  /** It has not ended in time: asking again would take as long. */
  readonly late: boolean;

  constructor(message: string, how: { readonly ending?: ExecEvent | undefined; readonly late?: boolean; readonly cause?: unknown } = {}) {
    super(message, how.cause === undefined ? {} : { cause: how.cause });
    this.ending = how.ending;
    this.late = how.late ?? false;
  }

  /** There is no such program in the container, in the words of one of the container runtimes, or by its exit code. */
  get isNotFound(): boolean {
    if (this.ending?.type === 'failed') return /executable file|no such file or directory|not found/i.test(this.ending.message);
    return this.ending?.type === 'exit' && (this.ending.code === 126 || this.ending.code === 127);
  }
}
