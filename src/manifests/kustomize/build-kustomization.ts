import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ManifestObjects } from '../manifest-object.ts';
import type { ManifestProblem } from '../position.ts';
import { readText, wholeFile } from '../read-manifest-file.ts';
import { parseYaml } from '../yaml.ts';
import { complain, messageOf, type BuildContext } from './build-context.ts';
import type { BuiltObject } from './built-object.ts';
import { collectResources } from './collect-resources.ts';
import { generateConfigMap } from './config-map-generator.ts';
import { checkKustomization, type Kustomization } from './kustomization.ts';
import { nameByContent } from './name-references.ts';
import { readLocalFile } from './read-local-file.ts';
import { transformObjects } from './transform.ts';

const fileNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** The kustomization's file among a folder's files. */
export const kustomizationFileIn = (names: readonly string[]): string | undefined => fileNames.find((name) => names.includes(name));

/**
 * Builds a folder's kustomization as `kubectl kustomize` would, from local files only. What of kustomize is not supported is a
 * problem that names the field.
 *
 * Source: kustomize API reference, Kustomization v1beta1; compared with kubectl 1.34.
 */
export const buildKustomization = async (folder: string): Promise<ManifestObjects> => {
  const problems: ManifestProblem[] = [];
  const objects = nameByContent(await build(folder, [], (problem) => problems.push(problem)));
  return { objects: objects.map(({ object, file, line, positionOf }) => ({ object, file, line, positionOf })), problems };
};

const build = async (
  folder: string,
  ancestors: readonly string[],
  report: (problem: ManifestProblem) => void,
): Promise<readonly BuiltObject[]> => {
  const name = kustomizationFileIn(await readdir(folder));
  if (name === undefined) {
    report({
      ...wholeFile(folder),
      message: 'no kustomization.yaml in the folder',
      hint: 'resources are files, or folders with a kustomization of their own',
    });
    return [];
  }
  const file = join(folder, name);
  const read = readText(file);
  if (read.kind === 'problem') {
    report(read.problem);
    return [];
  }
  const yaml = parseYaml(read.text, file);
  const checked = checkKustomization(yaml);
  if (checked.kind === 'problems') {
    checked.problems.forEach(report);
    return [];
  }
  const context: BuildContext = { folder, yaml, ancestors: [...ancestors, resolve(folder)], report };
  const resources = await collectResources(context, checked.kustomization, (path, from) => build(path, from, report));
  const generated = await generateConfigMaps(context, checked.kustomization);
  return transformObjects(context, checked.kustomization, [...resources, ...generated]);
};

const generateConfigMaps = async (
  context: BuildContext,
  { configMapGenerator = [], generatorOptions }: Kustomization,
): Promise<readonly BuiltObject[]> => {
  const generated: BuiltObject[] = [];
  for (const [index, entry] of configMapGenerator.entries()) {
    const path = ['configMapGenerator', index];
    try {
      generated.push(
        await generateConfigMap(entry, generatorOptions, (file) => readLocalFile(context, file), context.yaml.positionOf(path)),
      );
    } catch (error) {
      complain(context, path, `configMapGenerator ${entry.name}: ${messageOf(error)}`, 'literals are KEY=VALUE, files are [KEY=]PATH');
    }
  }
  return generated;
};
