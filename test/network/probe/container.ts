import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Real programs of this machine that stand for those in an image, and the Debian package that has them. */
const programs = {
  sh: { path: '/bin/dash', from: 'dash' },
  sleep: { path: '/bin/sleep', from: 'coreutils' },
  true: { path: '/bin/true', from: 'coreutils' },
  bash: { path: '/bin/bash', from: 'bash' },
  curl: { path: '/usr/bin/curl', from: 'curl' },
  wget: { path: '/usr/bin/wget', from: 'wget' },
  python3: { path: '/usr/bin/python3', from: 'python3' },
  node: { path: process.execPath, from: 'nodejs' },
  busybox: { path: '/bin/busybox', from: 'busybox-static' },
  'nc.openbsd': { path: '/bin/nc.openbsd', from: 'netcat-openbsd' },
  'nc.traditional': { path: '/bin/nc.traditional', from: 'netcat-traditional' },
  ncat: { path: '/usr/bin/ncat', from: 'ncat' },
} as const;

export type Program = keyof typeof programs;

/**
 * The PATH of a container that has these programs and no others: by their own names, or `name: program`.
 *
 * Throws when one of them is not on this machine: a test that needs it must not pass without.
 */
export const pathWith = (names: readonly Program[], renamed: Readonly<Record<string, Program>> = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'poimen-container-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, program] of [...names.map((same) => [same, same] as const), ...Object.entries(renamed)]) {
    const { path, from } = programs[program];
    if (!existsSync(path)) throw new Error(`this test needs ${path}: apt-get install ${from}`);
    symlinkSync(path, join(folder, name));
  }
  return folder;
};

/** Puts a script of the test's own among them. */
export const addScript = (folder: string, name: string, text: string): void => writeFileSync(join(folder, name), text, { mode: 0o755 });
