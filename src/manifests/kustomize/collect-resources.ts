import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JsonPath } from '../../kubernetes/json-pointer.ts';
import { readManifestFile } from '../read-manifest-file.ts';
import { complain, isInside, messageOf, type BuildContext } from './build-context.ts';
import { builtObject, type BuiltObject } from './built-object.ts';
import type { Kustomization } from './kustomization.ts';

/** Builds the kustomization of another folder. */
export type BuildFolder = (folder: string, ancestors: readonly string[]) => Promise<readonly BuiltObject[]>;

/** The objects that `resources` (and `bases`, as it was called) lists: of files, and of the kustomizations of folders. */
export const collectResources = async (
  context: BuildContext,
  { resources = [], bases = [] }: Kustomization,
  buildFolder: BuildFolder,
): Promise<readonly BuiltObject[]> => {
  const collected: BuiltObject[] = [];
  for (const [index, entry] of resources.entries()) collected.push(...(await collect(context, ['resources', index], entry, buildFolder)));
  for (const [index, entry] of bases.entries()) collected.push(...(await collect(context, ['bases', index], entry, buildFolder)));
  return collected;
};

/** The path of an entry, unless it is none here, which is said. */
export const localPath = (context: BuildContext, at: JsonPath, entry: string): string | undefined => {
  if (!/^[a-z+]+:\/\/|^git@|^github\.com\/|\?ref=/.test(entry)) return join(context.folder, entry);
  complain(context, at, `${entry} is remote`, 'only local files and folders are read: fetch it first');
  return undefined;
};

/** The same of an entry that is a folder. */
export const localFolder = (context: BuildContext, at: JsonPath, entry: string): string | undefined => {
  const path = localPath(context, at, entry);
  if (path === undefined || !context.ancestors.includes(resolve(path))) return path;
  complain(context, at, `${entry} leads back here`, 'a kustomization cannot be made from itself');
  return undefined;
};

const collect = async (context: BuildContext, at: JsonPath, entry: string, buildFolder: BuildFolder): Promise<readonly BuiltObject[]> => {
  const fail = (message: string, hint: string): readonly BuiltObject[] => {
    complain(context, at, message, hint);
    return [];
  };
  const path = localPath(context, at, entry);
  if (path === undefined) return [];
  try {
    if ((await stat(path)).isDirectory()) {
      const folder = localFolder(context, at, entry);
      return folder === undefined ? [] : await buildFolder(folder, context.ancestors);
    }
  } catch (error) {
    return fail(`cannot be read: ${messageOf(error)}`, 'check the path: it counts from the folder of the kustomization');
  }
  if (!isInside(context.folder, path))
    return fail(`${entry} is outside of the kustomization's folder`, 'kustomize refuses this: move the file, or refer to its folder');
  const { objects, problems } = readManifestFile(path);
  for (const problem of problems) context.report(problem);
  return objects.map(builtObject);
};
