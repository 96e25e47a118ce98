import { PoimenError } from '../errors/poimen-error.ts';
import { loadManifests } from '../manifests/load-manifests.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';

/** @throws PoimenError `ManifestsUnusable` with every problem and its place. */
export const readManifestFolder = async (folder: string): Promise<readonly ManifestObject[]> => {
  const { objects, problems } = await loadManifests(folder);
  if (problems.length === 0) return objects;
  throw new PoimenError({
    outcome: 'usage',
    code: 'ManifestsUnusable',
    summary: `the manifests in ${folder} cannot be used as they are`,
    detail: problems.map(({ file, line, column, message, hint }) => `${file}:${line}:${column}: ${message} (${hint})`).join('\n'),
  });
};
