import { join } from 'node:path';
import { parseYamlStream, type ParsedYamlStream } from '../yaml.ts';
import { complain, messageOf, type BuildContext } from './build-context.ts';
import type { BuiltObject } from './built-object.ts';
import { setImages } from './images.ts';
import type { Kustomization, PatchEntry } from './kustomization.ts';
import { addAnnotations, addLabels } from './labels.ts';
import { needsNamespaceInFields, setNamespace } from './namespace.ts';
import { applyPatchEntry } from './patches.ts';
import { readLocalFile } from './read-local-file.ts';
import { hasReplicasTarget, setReplicas } from './replicas.ts';

/**
 * Everything that a kustomization does to its objects, in kustomize's order: patches, namespace, labels, annotations,
 * replicas, images.
 */
export const transformObjects = async (
  context: BuildContext,
  kustomization: Kustomization,
  objects: readonly BuiltObject[],
): Promise<readonly BuiltObject[]> => {
  const { namespace, commonLabels, commonAnnotations } = kustomization;
  let current = await applyPatches(context, kustomization.patches ?? [], objects);
  if (namespace !== undefined) {
    for (const { object } of current.filter(needsNamespaceInFields)) {
      complain(
        context,
        ['namespace'],
        `namespace: what it does to a ${object.kind} (${object.metadata.name}) is not supported here`,
        'write the namespaces out',
      );
    }
    current = setNamespace(namespace)(current);
  }
  for (const entry of kustomization.labels ?? []) current = addLabels(entry)(current);
  if (commonLabels !== undefined) current = addLabels({ pairs: commonLabels, includeSelectors: true })(current);
  if (commonAnnotations !== undefined) current = addAnnotations(commonAnnotations)(current);
  for (const [index, entry] of (kustomization.replicas ?? []).entries()) {
    if (!hasReplicasTarget(current, entry))
      complain(context, ['replicas', index], `replicas: nothing to scale is named ${entry.name}`, 'check the name');
    current = setReplicas(entry)(current);
  }
  return (kustomization.images ?? []).reduce((changed, entry) => setImages(entry)(changed), current);
};

const applyPatches = async (
  context: BuildContext,
  entries: readonly PatchEntry[],
  objects: readonly BuiltObject[],
): Promise<readonly BuiltObject[]> => {
  let current = objects;
  for (const [index, entry] of entries.entries()) {
    try {
      const text = await patchText(context, entry);
      if (text.problems.length === 0) current = applyPatchEntry(current, text, entry.target);
      else for (const problem of text.problems) report(context, index, entry, problem);
    } catch (error) {
      complain(context, ['patches', index], `patch: ${messageOf(error)}`, 'check target, paths and the patch itself');
    }
  }
  return current;
};

const patchText = async (context: BuildContext, { path, patch }: PatchEntry): Promise<ParsedYamlStream> => {
  if ((path === undefined) === (patch === undefined)) throw new Error('one of path and patch is expected');
  if (path !== undefined) return parseYamlStream(await readLocalFile(context, path), join(context.folder, path));
  return parseYamlStream(patch ?? '', 'patch');
};

/** A problem in a patch's own file stands there; one in an inline patch at the entry. */
const report = (context: BuildContext, index: number, { path }: PatchEntry, problem: ParsedYamlStream['problems'][number]): void => {
  if (path !== undefined) context.report(problem);
  else complain(context, ['patches', index, 'patch'], `patch, its line ${problem.line}: ${problem.message}`, problem.hint);
};
