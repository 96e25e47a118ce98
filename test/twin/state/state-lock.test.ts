import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PoimenError } from '../../../src/errors/poimen-error.ts';
import { startOfProcess } from '../../../src/twin/state/process-identity.ts';
import { takeStateLock } from '../../../src/twin/state/state-lock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const lockedBy = (directory: string): PoimenError | undefined => {
  try {
    takeStateLock(directory).release();
    return undefined;
  } catch (error) {
    if (error instanceof PoimenError) return error;
    throw error;
  }
};

const leaveLock = (directory: string, holder: { readonly pid: number; readonly started: string; readonly host?: string }): void =>
  writeFileSync(join(directory, 'lock'), JSON.stringify({ host: hostname(), ...holder }));

test('the second opener is told who holds the lock', () => {
  const directory = temporaryFolder();
  const lock = takeStateLock(directory);
  expect(lockedBy(directory)).toMatchObject({
    outcome: 'locked',
    code: 'TwinLocked',
    message: `the twin is in use by process ${process.pid}`,
  });
  lock.release();
  expect(lockedBy(directory)).toBeUndefined();
});

test('the lock of a process that has ended is taken over', () => {
  const directory = temporaryFolder();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  leaveLock(directory, { pid, started: '1' });
  expect(lockedBy(directory)).toBeUndefined();
});

test('a process that was given the number of a dead holder does not hold the lock', () => {
  const directory = temporaryFolder();
  leaveLock(directory, { pid: process.pid, started: 'long ago' });
  expect(lockedBy(directory)).toBeUndefined();
});

test('a process on another machine cannot be judged: its lock holds', () => {
  const directory = temporaryFolder();
  leaveLock(directory, { pid: 1, started: '1', host: 'elsewhere' });
  expect(lockedBy(directory)?.message).toBe('the twin is in use by process 1 on elsewhere');
});

test('the owner notices when its lock is gone or replaced, and then leaves it alone', () => {
  const directory = temporaryFolder();
  const lock = takeStateLock(directory);
  expect(lock.isHeld()).toBe(true);
  rmSync(join(directory, 'lock'));
  expect(lock.isHeld()).toBe(false);
  leaveLock(directory, { pid: 1, started: startOfProcess(1) ?? '' });
  lock.release();
  expect(readdirSync(directory)).toEqual(['lock']);
});

test('nothing but the lock is left behind', () => {
  const directory = temporaryFolder();
  leaveLock(directory, { pid: process.pid, started: 'long ago' });
  const lock = takeStateLock(directory);
  expect(readdirSync(directory)).toEqual(['lock']);
  lock.release();
  expect(readdirSync(directory)).toEqual([]);
});

test('of several who find a dead holder, one at a time holds the lock', async () => {
  const directory = temporaryFolder();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  leaveLock(directory, { pid, started: '1' });
  const module = join(import.meta.dirname, '../../../src/twin/state/state-lock.ts');
  // Each appends when it has the lock and before it gives it back: two of one process in a row, or two held it at once.
  const contender = `
    import { appendFileSync, existsSync } from 'node:fs';
    import { takeStateLock } from ${JSON.stringify(module)};
    const log = ${JSON.stringify(join(directory, 'held'))};
    for (let times = 0; times < 20; ) {
      let lock;
      try { lock = takeStateLock(${JSON.stringify(directory)}); } catch { if (existsSync(${JSON.stringify(directory)})) continue; else break; }
      appendFileSync(log, process.pid + '\\n');
      appendFileSync(log, process.pid + '\\n');
      lock.release();
      times++;
    }`;
  const children = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', contender], { stdio: 'inherit' }));
  expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))).toEqual([0, 0, 0]);
  const held = readFileSync(join(directory, 'held'), 'utf8').trim().split('\n');
  expect(held).toHaveLength(120);
  for (let index = 0; index < held.length; index += 2) expect(held[index]).toBe(held[index + 1]);
});
