import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readManifestFile } from '../read-manifest-file.ts';
import { complain, isInside, messageOf, type BuildContext } from './build-context.ts';
import { builtObject, type BuiltObject } from './built-object.ts';
import type { Kustomization } from './kustomization.ts';

/** Builds the kustomization of another folder. */
export type BuildFolder = (folder: string, ancestors: readonly string[]) => Promise<readonly BuiltObject[]>;

/** The objects that `resources` lists: of files, and of the kustomizations of folders. */
export const collectResources = async (
  context: BuildContext,
  { resources = [] }: Kustomization,
  buildFolder: BuildFolder,
): Promise<readonly BuiltObject[]> => {
  const collected: BuiltObject[] = [];
  for (const [index, entry] of resources.entries()) {
    collected.push(...(await collect(context, index, entry, buildFolder)));
  }
  return collected;
};

const collect = async (context: BuildContext, index: number, entry: string, buildFolder: BuildFolder): Promise<readonly BuiltObject[]> => {
  const fail = (message: string, hint: string): readonly BuiltObject[] => {
    complain(context, ['resources', index], message, hint);
    return [];
  };
  if (/^[a-z+]+:\/\/|^git@|^github\.com\/|\?ref=/.test(entry))
    return fail(`${entry} is remote`, 'only local files and folders are read: fetch it first');
  const path = join(context.folder, entry);
  try {
    if ((await stat(path)).isDirectory()) {
      if (context.ancestors.includes(resolve(path))) return fail(`${entry} leads back here`, 'a kustomization cannot be made from itself');
      return await buildFolder(path, context.ancestors);
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
