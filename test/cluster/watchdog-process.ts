/**
 * Runs beside a test cluster as a process of its own; see watchdog.ts. Reads `watch PID`, `forget PID` and `dismiss`
 * from stdin. The end of stdin without `dismiss` means that whoever started the cluster is dead.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const graceMs = 3_000;

const [dataDirectory] = process.argv.slice(2);
if (dataDirectory === undefined) throw new Error('usage: watchdog-process.ts DATA-DIRECTORY');

const watched = new Set<number>();
let dismissed = false;
for await (const line of createInterface({ input: process.stdin })) {
  const [verb, pid] = line.split(' ');
  if (verb === 'watch') watched.add(Number(pid));
  else if (verb === 'forget') watched.delete(Number(pid));
  else if (verb === 'dismiss') dismissed = true;
}

if (!dismissed) {
  const ours = [...watched].filter(isOurs);
  for (const pid of ours) signal(pid, 'SIGTERM');
  const killAt = performance.now() + graceMs;
  while (ours.some(isOurs) && performance.now() < killAt) await sleep(50);
  for (const pid of ours) if (isOurs(pid)) signal(pid, 'SIGKILL');
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** A process id can be given to someone else: ours name the data folder in their arguments. */
function isOurs(pid: number): boolean {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(String(dataDirectory));
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it ended by itself in between
  }
}
