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

/** What can run a session of several commands; an image may have the second without the first. */
const shells = ['sh', 'bash'];

/** Sessions to one container: what is asked beside these waits for one of them. */
const sessionLimit = 8;

export interface Equipment {
  /** Its name; undefined where there is none. */
  readonly shell: string | undefined;
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
    const shell = await findShell(exec, vantage, clock);
    if (shell === undefined) {
      const tools = toolsIn(await findWithoutShell(new DirectRunner(exec, vantage, clock), limits));
      return new Workplace({ vantage, equipment: { shell: undefined, tools }, exec, clock, first: [] });
    }
    try {
      const marker = `poimen-${randomBytes(12).toString('hex')}`;
      const { stdout } = await shell.runner.runScript(discoveryScript(marker), limits);
      const tools = toolsIn(readDiscovery(marker, stdout.toString()));
      return new Workplace({ vantage, equipment: { shell: shell.name, tools }, exec, clock, first: [shell.runner] });
    } catch (error) {
      shell.runner.close();
      throw error;
    }
  }

  /** @throws RunnerGone, ApiError, ConnectionError; the signal's reason. */
  async run(command: readonly string[], limits: RunLimits): Promise<ToolResult> {
    const { shell: name } = this.equipment;
    if (name === undefined) return await new DirectRunner(this.exec, this.vantage, this.clock).run(command, limits);
    while (this.busy >= sessionLimit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.busy++;
    try {
      const shell = this.idle.pop() ?? (await openShell(this.exec, this.vantage, name, this.clock));
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

const openShell = (
  exec: NonNullable<Cluster['exec']>,
  { namespace, pod, container }: Vantage,
  shell: string,
  clock: Clock,
): Promise<ShellRunner> => ShellRunner.open((command) => exec({ namespace, pod, container, command, stdin: true }), shell, clock);

/** The first shell that is there, if one is. @throws as `Workplace.open` does. */
const findShell = async (
  exec: NonNullable<Cluster['exec']>,
  vantage: Vantage,
  clock: Clock,
): Promise<{ readonly name: string; readonly runner: ShellRunner } | undefined> => {
  for (const name of shells) {
    try {
      return { name, runner: await openShell(exec, vantage, name, clock) };
    } catch (error) {
      if (!(error instanceof RunnerGone && error.isNotFound)) throw error;
    }
  }
  return undefined;
};

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
