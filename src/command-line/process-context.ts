import { existsSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Context } from '../operations/context.ts';

/** The world as this process sees it. */
export const createProcessContext = (): Context => ({
  env: process.env,
  workingDirectory: process.cwd(),
  homeDirectory: homedir(),
  packageDirectory: findPackageDirectory(import.meta.dirname),
  operator: `${userName()}@${hostname()}`,
  randomBytes: (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount)),
});

/** The nearest folder above that has a package.json: this file is in `src/` or, bundled, somewhere in `dist/`. */
const findPackageDirectory = (start: string): string => {
  if (existsSync(join(start, 'package.json')) || dirname(start) === start) return start;
  return findPackageDirectory(dirname(start));
};

/** A user id without a name (a container's) has no entry to read. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
};
