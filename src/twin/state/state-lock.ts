import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PoimenError } from '../../errors/poimen-error.ts';
import { startOfProcess } from './process-identity.ts';
import { readServedTwin } from './served-twin.ts';

interface Holder {
  readonly pid: number;
  readonly started: string;
  readonly host: string;
}

/** Held by the one process that may write a twin's state. */
export interface StateLock {
  /** False when somebody else has removed or replaced the lock: then nothing may be written any more. */
  isHeld(): boolean;
  release(): void;
}

const tries = 20;

/**
 * Takes the lock of a state folder. One whose holder has died is taken over.
 *
 * The file comes into being complete, by a hard link, so nobody ever reads half of one; of several who find the same dead holder,
 * one alone moves its file away.
 *
 * @throws PoimenError `TwinLocked` when another process holds it.
 */
export const takeStateLock = (directory: string): StateLock => {
  const path = join(directory, 'lock');
  const mine = `${path}.${process.pid}`;
  const holder: Holder = { pid: process.pid, started: startOfProcess(process.pid) ?? '', host: hostname() };
  writeFileSync(mine, JSON.stringify(holder));
  try {
    const own = identityOf(mine);
    for (let attempt = 0; attempt < tries; attempt++) {
      if (tryLink(mine, path)) return { isHeld: () => identityOf(path) === own, release: () => release(path, own) };
      const other = readHolder(path);
      if (other === undefined) continue;
      if (isAlive(other)) throw locked(directory, other);
      moveAway(path, other);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  throw new PoimenError({
    outcome: 'locked',
    code: 'TwinLocked',
    summary: `the lock of the twin's state in ${directory} could not be taken`,
    detail: 'other processes took it and gave it back again and again',
    nextSteps: ['try again'],
  });
};

const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
};

const readHolder = (path: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
};

const isAlive = ({ pid, started, host }: Holder): boolean => host !== hostname() || startOfProcess(pid) === started;

/** What was moved may by now be the lock of somebody who was quicker: then it is put back. */
const moveAway = (path: string, dead: Holder): void => {
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(aside);
  if (moved !== undefined && (moved.pid !== dead.pid || moved.started !== dead.started)) tryLink(aside, path);
  rmSync(aside, { force: true });
};

/** The time tells a file from a later one that was given the same inode. */
const identityOf = (path: string): string | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.ino} ${stat.mtimeMs}`;
};

const release = (path: string, own: string | undefined): void => {
  if (identityOf(path) === own) rmSync(path, { force: true });
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const locked = (directory: string, { pid, host }: Holder): PoimenError => {
  const where = host === hostname() ? '' : ` on ${host}`;
  const served = readServedTwin(directory);
  if (served?.pid === pid) {
    return new PoimenError({
      outcome: 'locked',
      code: 'TwinLocked',
      summary: `the twin is being served at ${served.url}, by process ${pid}`,
      detail: `one process at a time can write its state in ${directory}`,
      nextSteps: [`run the same through its API: --kubeconfig ${served.kubeconfig} instead of --twin`, `or end the server: kill ${pid}`],
    });
  }
  return new PoimenError({
    outcome: 'locked',
    code: 'TwinLocked',
    summary: `the twin is in use by process ${pid}${where}`,
    detail: `one process at a time can write its state in ${directory}`,
    nextSteps: [`wait for process ${pid}${where} to end, or end it`],
  });
};
