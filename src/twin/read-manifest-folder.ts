import { existsSync } from 'node:fs';
import { PoimenError } from '../errors/poimen-error.ts';
import { loadManifests } from '../manifests/load-manifests.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';

/** @throws PoimenError `ManifestsMissing`, `ManifestsUnusable` with every problem and its place. */
export const readManifestFolder = async (folder: string): Promise<readonly ManifestObject[]> => {
  if (!existsSync(folder)) {
    throw new PoimenError({
      outcome: 'usage',
      code: 'ManifestsMissing',
      summary: `there is no folder ${folder}`,
      nextSteps: ['name a folder of manifests: --twin FOLDER'],
    });
  }
  const { objects, problems } = await loadManifests(folder);
  if (problems.length === 0) return objects;
  throw new PoimenError({
    outcome: 'usage',
    code: 'ManifestsUnusable',
    summary: `the manifests in ${folder} cannot be used as they are`,
    detail: problems.map(({ file, line, column, message, hint }) => `${file}:${line}:${column}: ${message} (${hint})`).join('\n'),
  });
};
