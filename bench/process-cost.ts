import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface ProcessCost {
  readonly wallMs: number;
  /** User and system time of the process and all its threads. */
  readonly cpuMs: number;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

const repetitions = 3;

/** Bash's `time` tells milliseconds: several runs at once give a third of one. */
const script = `TIMEFORMAT='%3R %3U %3S'
time for ((i = 0; i < ${repetitions}; i++)); do "$@" >/dev/null 2>&1 </dev/null || exit 1; done`;

const deadlineMs = 60_000;

/**
 * What one run of the command costs, as the mean of a few.
 *
 * @throws Error when it does not exit with 0, or not in time.
 */
export const measureProcess = async ({ command, args, env, cwd }: Command): Promise<ProcessCost> => {
  const child = spawn('bash', ['-c', script, 'bash', command, ...args], { env, cwd, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error('bash cannot be started');
  const deadline = setTimeout(() => process.kill(-pid, 'SIGKILL'), deadlineMs); // bash and what it runs
  const [words, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  clearTimeout(deadline);
  const [wall, user, system] = words.trim().split(' ').map(Number);
  if (code !== 0 || wall === undefined || user === undefined || system === undefined)
    throw new Error(`${command} ${args.join(' ')}: ${words}`);
  return { wallMs: (wall * 1_000) / repetitions, cpuMs: ((user + system) * 1_000) / repetitions };
};
