import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { referenceText } from './object-identity.ts';
import { buildKustomization, kustomizationFileIn } from './kustomize/build-kustomization.ts';
import type { ManifestObject, ManifestObjects } from './manifest-object.ts';
import type { ManifestProblem } from './position.ts';
import { readManifestFile, unreadable, wholeFile } from './read-manifest-file.ts';

/**
 * Reads a folder (or one file) of ordinary manifests. Where the folder has a kustomization, what that builds; else its .yaml,
 * .yml and .json files in the order of their names, not its subfolders. Lists are flattened. All problems come together; an
 * object that has one is left out.
 */
export const loadManifests = async (folderOrFile: string): Promise<ManifestObjects> => {
  const { objects, problems } = await load(folderOrFile);
  return { objects, problems: [...problems, ...duplicates(objects)] };
};

const load = async (path: string): Promise<ManifestObjects> => {
  try {
    if (!(await stat(path)).isDirectory())
      return isKustomizationName(path) ? await buildKustomization(dirname(path)) : readManifestFile(path);
    const names = await readdir(path);
    return kustomizationFileIn(names) === undefined ? loadFolder(path, names) : await buildKustomization(path);
  } catch (error) {
    return { objects: [], problems: [unreadable(path, error)] };
  }
};

const loadFolder = (folder: string, names: readonly string[]): ManifestObjects => {
  const files = names.filter((name) => ['.yaml', '.yml', '.json'].includes(extname(name))).toSorted();
  if (files.length === 0) {
    const empty: ManifestProblem = {
      ...wholeFile(folder),
      message: 'no manifests',
      hint: 'files that end in .yaml, .yml or .json, or a kustomization.yaml, are expected',
    };
    return { objects: [], problems: [empty] };
  }
  if (names.includes('Chart.yaml')) return { objects: [], problems: [chartProblem(join(folder, 'Chart.yaml'))] };
  const objects: ManifestObject[] = [];
  const problems: ManifestProblem[] = [];
  for (const name of files) {
    const read = readManifestFile(join(folder, name));
    for (const object of read.objects) objects.push(object);
    for (const problem of read.problems) problems.push(problem);
  }
  return { objects, problems };
};

const chartProblem = (chart: string): ManifestProblem => ({
  ...wholeFile(chart),
  message: 'a Helm chart, whose templates are not rendered here',
  hint: 'give what comes out of it: helm template CHART > FOLDER/rendered.yaml',
});

const isKustomizationName = (path: string): boolean => kustomizationFileIn([basename(path)]) !== undefined;

/** By name first, which each object has at hand: texts of whole references would be made for all of them, and are needed for a few. */
const duplicates = (objects: readonly ManifestObject[]): readonly ManifestProblem[] => {
  const first = new Map<string, ManifestObject>();
  const namesakes = new Map<string, ManifestObject[]>();
  for (const object of objects) {
    const { name } = object.object.metadata;
    const earlier = first.get(name);
    const others = namesakes.get(name);
    if (earlier === undefined) first.set(name, object);
    else if (others === undefined) namesakes.set(name, [earlier, object]);
    else others.push(object);
  }
  return [...namesakes.values()].flatMap(repeatedIn);
};

const repeatedIn = (namesakes: readonly ManifestObject[]): readonly ManifestProblem[] => {
  const first = new Map<string, ManifestObject>();
  const problems: ManifestProblem[] = [];
  for (const object of namesakes) {
    const identity = referenceText(object.object);
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, object);
    else {
      problems.push({
        ...object.positionOf(['metadata', 'name']),
        message: `${identity} a second time`,
        hint: `it is already described in ${earlier.file}:${earlier.line}`,
        leavesOut: {},
      });
    }
  }
  return problems;
};
