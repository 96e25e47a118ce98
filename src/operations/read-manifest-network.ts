import { join, relative, resolve } from 'node:path';
import { PoimenError } from '../errors/poimen-error.ts';
import { isClusterScoped } from '../kubernetes/cluster-scoped-kinds.ts';
import { loadManifests } from '../manifests/load-manifests.ts';
import { groupOf } from '../manifests/object-identity.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';
import type { ManifestProblem, Position } from '../manifests/position.ts';
import { isPolicyKind, type Gap } from '../network/inventory/gap.ts';
import { takeInventory } from '../network/inventory/inventory.ts';
import type { SourceObject } from '../network/inventory/source-object.ts';
import { flawsOf, isRefused } from '../network/validity/flaws-of.ts';
import type { Context } from './context.ts';
import type { LoadedNetwork } from './network-source.ts';

/**
 * The network that a folder (a kustomization, too) or a file describes. What cannot be used is told and left out: a policy that an
 * API server would refuse is no part of a cluster. What cannot be read leaves verdicts open, unless it says that it is no policy.
 *
 * @throws PoimenError `ManifestsUnusable`: nothing in it can be used; outcome usage.
 */
export const readManifestNetwork = async (
  path: string,
  namespace: string | undefined,
  { workingDirectory }: Pick<Context, 'workingDirectory'>,
): Promise<LoadedNetwork> => {
  const root = resolve(workingDirectory, path);
  const { objects, problems } = await loadManifests(root);
  const cited = (position: Position): Position => ({ ...position, file: join(path, relative(root, position.file)) }); // as the reader calls it
  const sources = objects.map((object) => inNamespace(sourceOf(object, cited), namespace));
  const checked = sources.map((source) => ({ source, flaws: flawsOf(source.object) }));
  const citedProblems = problems.map((problem) => ({ ...problem, ...cited(problem) }));
  const gaps = citedProblems.filter(mayBePolicy).map(gapOf);
  const told = [
    ...citedProblems.filter((problem) => !mayBePolicy(problem)).map(problemText),
    ...checked.flatMap(({ source, flaws }) =>
      flaws.map(({ path: field, message, hint, kind }) =>
        problemText({
          ...source.positionOf(field),
          message: `${source.object.kind} ${source.object.metadata.name}: ${message}${kind === 'refused' ? '; left out' : ''}`,
          hint,
        }),
      ),
    ),
  ];
  const usable = checked.filter(({ flaws }) => !isRefused(flaws)).map(({ source }) => source);
  if (usable.length === 0) throw unusable(path, [...gaps.map(({ message }) => message), ...told]);
  return {
    origin: { kind: 'manifests', name: path },
    objects: usable,
    inventory: takeInventory(usable, gaps),
    problems: told,
    namespace: namespace ?? 'default',
  };
};

/** What cannot be read may be a policy: without it, nothing is certain. */
const mayBePolicy = ({ leavesOut }: ManifestProblem): boolean =>
  leavesOut === undefined || (leavesOut.kind !== undefined && isPolicyKind(leavesOut.kind));

const gapOf = (problem: ManifestProblem): Gap => ({
  resource: `${problem.file}:${problem.line}`,
  readIn: [],
  message: problemText(problem),
});

type CitedObject = SourceObject & Required<Pick<SourceObject, 'positionOf'>>;

/** Positions are looked up when they are cited, and only then. */
const sourceOf = (manifest: ManifestObject, cited: (position: Position) => Position): CitedObject => ({
  object: manifest.object,
  positionOf: (path, part) => cited(manifest.positionOf(path, part)),
});

/** As `kubectl apply -n` does with an object that names none. */
const inNamespace = (source: CitedObject, namespace: string | undefined): CitedObject => {
  const { apiVersion, kind, metadata } = source.object;
  if (namespace === undefined || metadata.namespace !== undefined || isClusterScoped(groupOf(apiVersion), kind)) return source;
  return { ...source, object: { ...source.object, metadata: { ...metadata, namespace } } };
};

export const problemText = ({ file, line, message, hint }: Pick<ManifestProblem, 'file' | 'line' | 'message' | 'hint'>): string =>
  `${file}:${line}: ${message} (${hint})`;

const unusable = (path: string, problems: readonly string[]): PoimenError =>
  new PoimenError({
    outcome: 'usage',
    code: 'ManifestsUnusable',
    summary: `there is nothing in ${path} that can be used`,
    ...(problems.length === 0 ? {} : { detail: problems.join('\n') }),
    nextSteps: ['name a folder of manifests, a kustomization, or a file: -f k8s/'],
  });
