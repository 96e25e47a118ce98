import { join } from 'node:path';
import type { JsonPath } from '../../kubernetes/json-pointer.ts';
import { parseYamlStream, type ParsedYamlStream } from '../yaml.ts';
import { addPrefix, addSuffix } from './affixes.ts';
import { complain, messageOf, type BuildContext } from './build-context.ts';
import type { BuiltObject } from './built-object.ts';
import { setImages } from './images.ts';
import { replacementFile, type Kustomization, type PatchEntry, type ReplacementEntry } from './kustomization.ts';
import { addAnnotations, addLabels } from './labels.ts';
import { setNamespace } from './namespace.ts';
import { applyPatchEntry } from './patches.ts';
import { readLocalText } from './read-local-file.ts';
import { replaceValues } from './replacements.ts';
import { hasReplicasTarget, setReplicas } from './replicas.ts';

/**
 * Everything that a kustomization does to its objects, in kustomize's order: patches, namespace, prefix and suffix, labels,
 * annotations, replicas, images, replacements.
 */
export const transformObjects = async (
  context: BuildContext,
  kustomization: Kustomization,
  objects: readonly BuiltObject[],
): Promise<readonly BuiltObject[]> => {
  const { namespace, namePrefix, nameSuffix, commonLabels, commonAnnotations } = kustomization;
  let current = await applyPatches(context, patchEntries(kustomization), objects);
  if (namespace !== undefined) current = setNamespace(namespace)(current);
  if (namePrefix !== undefined && namePrefix !== '') current = addPrefix(namePrefix)(current);
  if (nameSuffix !== undefined && nameSuffix !== '') current = addSuffix(nameSuffix)(current);
  for (const entry of kustomization.labels ?? []) current = addLabels(entry)(current);
  if (commonLabels !== undefined) current = addLabels({ pairs: commonLabels, includeSelectors: true })(current);
  if (commonAnnotations !== undefined) current = addAnnotations(commonAnnotations)(current);
  for (const [index, entry] of (kustomization.replicas ?? []).entries()) {
    if (!hasReplicasTarget(current, entry))
      complain(context, ['replicas', index], `replicas: nothing to scale is named ${entry.name}`, 'check the name');
    current = setReplicas(entry)(current);
  }
  current = (kustomization.images ?? []).reduce((changed, entry) => setImages(entry)(changed), current);
  return await applyReplacements(context, kustomization.replacements ?? [], current);
};

interface PlacedPatch {
  readonly at: JsonPath;
  readonly entry: PatchEntry;
}

/** With those of the fields that `patches` has replaced. */
const patchEntries = ({ patches = [], patchesStrategicMerge = [], patchesJson6902 = [] }: Kustomization): readonly PlacedPatch[] => [
  ...patchesStrategicMerge.map((text, index) => ({
    at: ['patchesStrategicMerge', index],
    entry: text.includes('\n') || text.trimStart().startsWith('{') ? { patch: text } : { path: text },
  })),
  ...patches.map((entry, index) => ({ at: ['patches', index], entry })),
  ...patchesJson6902.map((entry, index) => ({ at: ['patchesJson6902', index], entry })),
];

const applyPatches = async (
  context: BuildContext,
  patches: readonly PlacedPatch[],
  objects: readonly BuiltObject[],
): Promise<readonly BuiltObject[]> => {
  let current = objects;
  for (const { at, entry } of patches) {
    try {
      const text = await patchText(context, entry);
      if (text.problems.length === 0) current = applyPatchEntry(current, text, entry.target);
      else for (const problem of text.problems) report(context, at, entry, problem);
    } catch (error) {
      complain(context, at, `patch: ${messageOf(error)}`, 'check target, paths and the patch itself');
    }
  }
  return current;
};

const patchText = async (context: BuildContext, { path, patch }: PatchEntry): Promise<ParsedYamlStream> => {
  if ((path === undefined) === (patch === undefined)) throw new Error('one of path and patch is expected');
  if (path !== undefined) return parseYamlStream(await readLocalText(context, path), join(context.folder, path));
  return parseYamlStream(patch ?? '', 'patch');
};

/** A problem in a patch's own file stands there; one in an inline patch at the entry. */
const report = (context: BuildContext, at: JsonPath, { path }: PatchEntry, problem: ParsedYamlStream['problems'][number]): void => {
  if (path !== undefined) context.report(problem);
  else complain(context, [...at, 'patch'], `patch, its line ${problem.line}: ${problem.message}`, problem.hint);
};

const applyReplacements = async (
  context: BuildContext,
  replacements: NonNullable<Kustomization['replacements']>,
  objects: readonly BuiltObject[],
): Promise<readonly BuiltObject[]> => {
  let current = objects;
  for (const [index, entry] of replacements.entries()) {
    try {
      const entries = 'path' in entry ? replacementsIn(await readLocalText(context, entry.path), entry.path) : [entry];
      current = entries.reduce(replaceValues, current);
    } catch (error) {
      complain(context, ['replacements', index], `replacement: ${messageOf(error)}`, 'check source, targets and field paths');
    }
  }
  return current;
};

const replacementsIn = (text: string, path: string): readonly ReplacementEntry[] => {
  const { documents, problems } = parseYamlStream(text, path);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${path}, line ${problem.line}: ${problem.message}`);
  return documents.flatMap(({ value }) => {
    const checked = replacementFile.safeParse(value);
    if (!checked.success) throw new Error(`${path} is neither a replacement nor a list of them`);
    return checked.data;
  });
};
