import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Cleans up when this process dies without stopping its cluster, in whatever way: even SIGKILL closes the pipe that
 * the watchdog reads from. It then ends the processes it was told of and removes the data folder.
 */
export interface Watchdog {
  watch(pid: number): void;
  forget(pid: number): void;
  /** The cluster is stopped and its folder removed; nothing is left to do. */
  dismiss(): Promise<void>;
}

export async function startWatchdog(dataDirectory: string): Promise<Watchdog> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'watchdog-process.ts'), dataDirectory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a signal to the terminal's process group must not reach it
  });
  await once(child, 'spawn');
  child.stdin.on('error', () => undefined); // it is gone already: nobody left to tell
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  const tell = (message: string): void => void child.stdin.write(`${message}\n`);

  return {
    watch: (pid) => tell(`watch ${pid}`),
    forget: (pid) => tell(`forget ${pid}`),
    async dismiss() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const gone = once(child, 'exit');
      child.stdin.end('dismiss\n');
      await gone;
    },
  };
}
