import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Watchdog } from './watchdog.ts';

export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** stdout and stderr go here. */
  readonly logFile: string;
}

export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Set once the process has ended: "exit code 1" or "signal SIGKILL". */
  readonly ended: () => string | undefined;
  /** Ends this very process, SIGTERM first and SIGKILL after the deadline, and waits until it is gone. */
  stop(deadlineMs: number): Promise<void>;
}

/** A process that ended before it was ready; the message holds the last lines of its log. */
export class ProcessDied extends Error {
  constructor(name: string, how: string, logTail: string) {
    super(`${name} ended before it was ready (${how}). Its last lines:\n${logTail}`);
    this.name = 'ProcessDied';
  }
}

export async function startProcess(spec: ProcessSpec, watchdog: Watchdog): Promise<ManagedProcess> {
  const log = openSync(spec.logFile, 'a');
  // a process group of its own: Ctrl-C in a terminal goes to whoever asked for the cluster, who then stops it in order
  const child = spawn(spec.command, spec.args, { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${spec.name}: no process id`);
  watchdog.watch(pid);

  let ended: string | undefined;
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = signal === null ? `exit code ${code}` : `signal ${signal}`;
      watchdog.forget(pid);
      resolve();
    });
  });
  child.unref(); // a caller that forgets to stop it must not hang; the watchdog ends the process then

  return {
    name: spec.name,
    pid,
    logFile: spec.logFile,
    ended: () => ended,
    async stop(deadlineMs) {
      if (ended !== undefined) return;
      child.ref();
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      await gone;
      clearTimeout(timer);
    },
  };
}

/**
 * Asks again and again until `check` says yes.
 *
 * @throws ProcessDied when one of the processes ends meanwhile; Error at the deadline, with what the last check said.
 */
export async function waitUntil(
  what: string,
  processes: readonly ManagedProcess[],
  deadlineMs: number,
  check: () => Promise<boolean>,
): Promise<void> {
  const giveUpAt = performance.now() + deadlineMs;
  let lastError: unknown;
  for (;;) {
    for (const process of processes) {
      const how = process.ended();
      if (how !== undefined) throw new ProcessDied(process.name, how, await readLogTail(process.logFile));
    }
    try {
      if (await check()) return;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > giveUpAt) throw new Error(`${what}: not after ${deadlineMs / 1000} s`, { cause: lastError });
    await sleep(50);
  }
}

async function readLogTail(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  return lines.slice(-8).join('\n');
}
