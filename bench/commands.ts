import { join } from 'node:path';
import type { Command } from './process-cost.ts';

export const packageDirectory = join(import.meta.dirname, '..');

/** The same Node that everything else is run with, starting and ending. */
export const bareNode: Command = { command: process.execPath, args: ['-e', '0'] };

/** The built bundle, as a person runs it. */
export const poimen = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): Command => ({
  command: process.execPath,
  args: [join(packageDirectory, 'bin/poimen.js'), ...args],
  env,
  cwd: packageDirectory,
});
