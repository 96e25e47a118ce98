import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock/clock.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { DirectRunner } from './direct-runner.ts';
import { discoveryScript, readDiscovery, shellless, toolsIn } from './discovery.ts';
import { RunnerGone, type RunLimits, type Runner } from './runner.ts';
import { ShellRunner } from './shell-runner.ts';
import type { FoundProgram, Tool, ToolResult } from './tool.ts';
import type { Vantage } from './vantage.ts';

const discoveryLimits: RunLimits = { outputBytes: 256 * 1024, timeoutMs: 15_000 };

/** Sessions to one container: what is asked beside these waits for one of them. */
const sessionLimit = 8;

export interface Equipment {
  readonly hasShell: boolean;
  /** The best first. */
  readonly tools: readonly Tool[];
}

/** One container, with what was found in it, and the sessions that are open to it. */
export class Workplace {
  readonly vantage: Vantage;
  readonly equipment: Equipment;
  private readonly exec: NonNullable<Cluster['exec']>;
  private readonly clock: Clock;
  private readonly idle: ShellRunner[];
  private readonly waiting: (() => void)[] = [];
  private busy = 0;
  private closed = false;

  private constructor(parts: {
    readonly vantage: Vantage;
    readonly equipment: Equipment;
    readonly exec: NonNullable<Cluster['exec']>;
    readonly clock: Clock;
    readonly first: readonly ShellRunner[];
  }) {
    this.vantage = parts.vantage;
    this.equipment = parts.equipment;
    this.exec = parts.exec;
    this.clock = parts.clock;
    this.idle = [...parts.first];
  }

  /**
   * Looks what the container has, unless that is `known` already.
   *
   * @throws RunnerGone, ApiError, ConnectionError; the signal's reason.
   */
  static async open(
    exec: NonNullable<Cluster['exec']>,
    vantage: Vantage,
    { clock, known, signal }: { readonly clock: Clock; readonly known?: Equipment | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Workplace> {
    if (known !== undefined) return new Workplace({ vantage, equipment: known, exec, clock, first: [] });
    const limits = { ...discoveryLimits, signal };
    const shell = await openShell(exec, vantage, clock);
    try {
      const marker = `poimen-${randomBytes(12).toString('hex')}`;
      const { stdout } = await shell.runScript(discoveryScript(marker), limits);
      const tools = toolsIn(readDiscovery(marker, stdout.toString()));
      return new Workplace({ vantage, equipment: { hasShell: true, tools }, exec, clock, first: [shell] });
    } catch (error) {
      shell.close();
      if (!(error instanceof RunnerGone && error.isNotFound)) throw error;
    }
    const tools = toolsIn(await findWithoutShell(new DirectRunner(exec, vantage, clock), limits));
    return new Workplace({ vantage, equipment: { hasShell: false, tools }, exec, clock, first: [] });
  }

  /** @throws RunnerGone, ApiError, ConnectionError; the signal's reason. */
  async run(command: readonly string[], limits: RunLimits): Promise<ToolResult> {
    if (!this.equipment.hasShell) return await new DirectRunner(this.exec, this.vantage, this.clock).run(command, limits);
    while (this.busy >= sessionLimit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.busy++;
    try {
      const shell = this.idle.pop() ?? (await openShell(this.exec, this.vantage, this.clock));
      try {
        return await shell.run(command, limits);
      } finally {
        if (this.closed) shell.close();
        else if (!shell.isOver) this.idle.push(shell);
      }
    } finally {
      this.busy--;
      this.waiting.shift()?.();
    }
  }

  close(): void {
    this.closed = true;
    for (const shell of this.idle) shell.close();
  }
}

const openShell = async (exec: NonNullable<Cluster['exec']>, { namespace, pod, container }: Vantage, clock: Clock): Promise<ShellRunner> =>
  new ShellRunner(await exec({ namespace, pod, container, command: ['sh'], stdin: true }), clock);

const findWithoutShell = async (runner: Runner, limits: RunLimits): Promise<readonly FoundProgram[]> => {
  const found = await Promise.all(
    shellless.map(async ({ name, command }): Promise<readonly FoundProgram[]> => {
      try {
        const { stdout, stderr, exitCode } = await runner.run(command, limits);
        return exitCode === 0 ? [{ name, path: name, about: stdout.toString() + stderr }] : [];
      } catch (error) {
        if (error instanceof RunnerGone && error.isNotFound) return [];
        throw error;
      }
    }),
  );
  return found.flat();
};
