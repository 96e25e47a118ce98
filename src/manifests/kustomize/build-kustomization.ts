import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JsonPath } from '../../kubernetes/json-pointer.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ManifestObjects } from '../manifest-object.ts';
import type { ManifestProblem } from '../position.ts';
import { readText, wholeFile } from '../read-manifest-file.ts';
import { parseYaml } from '../yaml.ts';
import { complain, messageOf, type BuildContext } from './build-context.ts';
import type { BuiltObject } from './built-object.ts';
import { addGenerated } from './add-generated.ts';
import { collectResources, localFolder, type BuildFolder } from './collect-resources.ts';
import { generateData, type DataEntry } from './data-generator.ts';
import { checkKustomization, type Kustomization } from './kustomization.ts';
import { followNames, nameByContent } from './name-references.ts';
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
  const report = (problem: ManifestProblem): void => void problems.push(problem);
  const built = await build({ folder, ancestors: [], kind: 'Kustomization', report }, []);
  const objects = followNames(nameByContent(built), report).filter(({ object }) => !isLocal(object));
  return { objects: objects.map(({ object, file, line, positionOf }) => ({ object, file, line, positionOf })), problems };
};

/** Source: kustomize, "config.kubernetes.io/local-config". */
const isLocal = ({ metadata: { annotations } }: KubernetesObject): boolean =>
  (annotations?.['config.kubernetes.io/local-config'] ?? 'false') !== 'false';

interface Build {
  readonly folder: string;
  readonly ancestors: readonly string[];
  /** What the folder has to be. */
  readonly kind: 'Kustomization' | 'Component';
  report(problem: ManifestProblem): void;
}

/** `given`: what a Component changes and adds to. */
const build = async ({ folder, ancestors, kind, report }: Build, given: readonly BuiltObject[]): Promise<readonly BuiltObject[]> => {
  const name = kustomizationFileIn(await readdir(folder));
  if (name === undefined) {
    report({
      ...wholeFile(folder),
      message: 'no kustomization.yaml in the folder',
      hint: 'resources are files, or folders with a kustomization of their own',
    });
    return given;
  }
  const file = join(folder, name);
  const read = readText(file);
  if (read.kind === 'problem') {
    report(read.problem);
    return given;
  }
  const yaml = parseYaml(read.text, file);
  const checked = checkKustomization(yaml);
  if (checked.kind === 'problems') {
    checked.problems.forEach(report);
    return given;
  }
  const { kustomization } = checked;
  const context: BuildContext = { folder, yaml, ancestors: [...ancestors, resolve(folder)], report };
  if ((kustomization.kind ?? 'Kustomization') !== kind) {
    complain(
      context,
      ['kind'],
      `the folder is expected to be a ${kind}`,
      'a Component is named under components, anything else under resources',
    );
    return given;
  }
  const buildResource: BuildFolder = (path, from) => build({ folder: path, ancestors: from, kind: 'Kustomization', report }, []);
  const resources = await collectResources(context, kustomization, buildResource);
  const generated = await generateObjects(context, kustomization, [...given, ...resources]);
  const buildComponent = (path: string, objects: readonly BuiltObject[]) =>
    build({ folder: path, ancestors: context.ancestors, kind: 'Component', report }, objects);
  return transformObjects(context, kustomization, await addComponents(context, kustomization, generated, buildComponent));
};

const addComponents = async (
  context: BuildContext,
  { components = [] }: Kustomization,
  objects: readonly BuiltObject[],
  buildComponent: (folder: string, objects: readonly BuiltObject[]) => Promise<readonly BuiltObject[]>,
): Promise<readonly BuiltObject[]> => {
  let current = objects;
  for (const [index, entry] of components.entries()) {
    const path = localFolder(context, ['components', index], entry);
    if (path === undefined) continue;
    try {
      current = await buildComponent(path, current);
    } catch (error) {
      complain(context, ['components', index], `cannot be read: ${messageOf(error)}`, 'a component is a folder; the path counts from here');
    }
  }
  return current;
};

const generateObjects = async (
  context: BuildContext,
  { configMapGenerator = [], secretGenerator = [], generatorOptions }: Kustomization,
  objects: readonly BuiltObject[],
): Promise<readonly BuiltObject[]> => {
  const entries: readonly (readonly [path: JsonPath, DataEntry])[] = [
    ...configMapGenerator.map((entry, index) => [['configMapGenerator', index], { kind: 'ConfigMap', entry }] as const),
    ...secretGenerator.map((entry, index) => [['secretGenerator', index], { kind: 'Secret', entry }] as const),
  ];
  let current = objects;
  for (const [path, data] of entries) {
    try {
      const made = await generateData(data, generatorOptions, (file) => readLocalFile(context, file), context.yaml.positionOf(path));
      current = addGenerated(current, made, data.entry.behavior ?? 'create');
    } catch (error) {
      const hint = 'literals are KEY=VALUE, files are [KEY=]PATH, envs are files of KEY=VALUE lines';
      complain(context, path, `${path[0]} ${data.entry.name}: ${messageOf(error)}`, hint);
    }
  }
  return current;
};
