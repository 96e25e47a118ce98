import { resolve } from 'node:path';
import { stateDirectoryOf } from '../twin/state/state-directory.ts';
import type { Context } from './context.ts';

/** A twin by the folder of its manifests, and where it remembers. */
export interface TwinFolder {
  /** As it was typed. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** Absolute. */
  readonly stateFolder: string;
}

export const findTwinFolder = (name: string, { env, workingDirectory, homeDirectory }: Context): TwinFolder => {
  const folder = resolve(workingDirectory, name);
  return { name, folder, stateFolder: stateDirectoryOf(folder, env, homeDirectory) };
};
