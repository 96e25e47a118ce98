import { readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMark, type NodeRun } from './run.ts';

const cgroupRoot = '/sys/fs/cgroup';
const deadlineMs = 30_000;

/**
 * Ends every process of a run and takes away what it left: cgroups and its folder. Mounts, network interfaces, addresses and firewall
 * rules are in namespaces that end with the processes. Harmless when called twice, or by several at once.
 *
 * @throws Error when something is still there after half a minute.
 */
export async function cleanUpRun(run: NodeRun): Promise<void> {
  const giveUpAt = performance.now() + deadlineMs;
  for (;;) {
    // the first process of a namespace takes all others with it, pods included
    const processes = processesOf(run);
    for (const pid of processes) kill(pid);
    const cgroups = processes.length === 0 ? cgroupsOf(run).filter((directory) => !removeCgroup(directory)) : undefined;
    if (cgroups?.length === 0) break;
    if (performance.now() > giveUpAt)
      throw new Error(`${run.name}: still there: processes ${processes.join(', ') || 'none'}; cgroups ${cgroups?.join(', ') ?? 'unknown'}`);
    await sleep(20);
  }
  await rm(run.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Those that bear the run's mark, and those in its cgroups, which containers are although they do not. */
export function processesOf(run: NodeRun): readonly number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => isMarked(pid, run) || isInCgroup(pid, run))
    .map(Number);
}

/** Of all hierarchies, those that bear the run's name. */
export const cgroupsOf = (run: NodeRun): readonly string[] =>
  [cgroupRoot, ...hierarchies()].map((hierarchy) => join(hierarchy, run.name)).filter(exists);

/** Each controller has a hierarchy of its own in version 1; in version 2 the root itself is the only one. */
export function hierarchies(): readonly string[] {
  return readdirSync(cgroupRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && exists(join(cgroupRoot, entry.name, 'cgroup.procs')))
    .map((entry) => join(cgroupRoot, entry.name));
}

const isMarked = (pid: string, run: NodeRun): boolean =>
  readProcessFile(pid, 'environ').split('\0').includes(`${runMark}=${run.directory}`);

const isInCgroup = (pid: string, run: NodeRun): boolean => new RegExp(`:/${run.name}(/|$)`, 'm').test(readProcessFile(pid, 'cgroup'));

/** Empty when the process has ended meanwhile. */
export function readProcessFile(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Innermost first. False while the kernel still counts a process in it. */
function removeCgroup(directory: string): boolean {
  try {
    for (const entry of readdirSync(directory, { withFileTypes: true })) if (entry.isDirectory()) removeCgroup(join(directory, entry.name));
    rmdirSync(directory);
  } catch {
    // told by what is left
  }
  return !exists(directory);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself in between
  }
}

function exists(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
  }
}

/** Names in a folder; none when there is no such folder. */
export const namesIn = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);
