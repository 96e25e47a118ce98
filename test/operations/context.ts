import { join } from 'node:path';
import type { Context } from '../../src/operations/context.ts';

/** In the repository, as nobody in particular. */
export const repository = join(import.meta.dirname, '../..');

export const contextIn = (workingDirectory: string): Context => ({
  env: {},
  workingDirectory,
  homeDirectory: workingDirectory,
  packageDirectory: repository,
  operator: 'somebody@somewhere',
  randomBytes: (count) => new Uint8Array(count),
});
