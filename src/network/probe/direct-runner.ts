import type { Clock } from '../../clock/clock.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Runner, RunLimits } from './runner.ts';
import { RunnerGone } from './runner.ts';
import type { ToolResult } from './tool.ts';
import type { Vantage } from './vantage.ts';

const stderrLimitBytes = 64 * 1024;

/** Starts each command by itself: for a container without a shell. */
export class DirectRunner implements Runner {
  private readonly exec: NonNullable<Cluster['exec']>;
  private readonly vantage: Vantage;
  private readonly clock: Clock;

  constructor(exec: NonNullable<Cluster['exec']>, vantage: Vantage, clock: Clock) {
    this.exec = exec;
    this.vantage = vantage;
    this.clock = clock;
  }

  async run(command: readonly string[], { outputBytes, timeoutMs, signal }: RunLimits): Promise<ToolResult> {
    const startedMs = this.clock.monotonicMs();
    const late = new AbortController();
    const cancel = this.clock.after(timeoutMs, () =>
      late.abort(new RunnerGone(`the pod has not told an answer within ${timeoutMs} ms`, { late: true })),
    );
    const signals = AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]);
    const { namespace, pod, container } = this.vantage;
    const written = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    const lengths = { stdout: 0, stderr: 0 };
    const result = (exitCode: number | undefined): ToolResult => ({
      stdout: Buffer.concat(written.stdout).subarray(0, outputBytes),
      stderr: Buffer.concat(written.stderr).toString(),
      exitCode,
      tookMs: Math.round(this.clock.monotonicMs() - startedMs),
    });
    try {
      const session = await this.exec({ namespace, pod, container, command, signal: signals });
      for await (const event of session.events) {
        if (event.type === 'exit') return result(event.code);
        if (event.type === 'failed') throw new RunnerGone(event.message, { ending: event });
        written[event.type].push(Buffer.from(event.data));
        lengths[event.type] += event.data.length;
        if (lengths.stdout <= outputBytes && lengths.stderr <= stderrLimitBytes) continue;
        session.close();
        return result(undefined);
      }
      throw signals.aborted ? signals.reason : new RunnerGone('the session in the pod has ended');
    } finally {
      cancel();
    }
  }

  close(): void {
    // nothing is open between two commands
  }
}
