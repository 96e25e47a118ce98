import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PoimenError } from '../errors/poimen-error.ts';
import { isJsonArray, isJsonObject } from '../kubernetes/json.ts';

/** Beside the manifests: an OCI layout with what its cluster's registry would have. */
export const imagesFolder = (manifests: string): string => join(manifests, 'images');

/**
 * The digests that the images of a twin resolve to, by full name: what is in the layout beside its manifests, if there is one.
 *
 * Source: OCI Image Layout specification 1.1, "index.json file"; annotation `org.opencontainers.image.ref.name`.
 *
 * @throws PoimenError `ImagesUnusable`.
 */
export const readImageDigests = (manifests: string): ReadonlyMap<string, string> => {
  const file = join(imagesFolder(manifests), 'index.json');
  if (!existsSync(file)) return new Map();
  const found = new Map<string, string>();
  for (const descriptor of manifestsOf(file)) {
    if (!isJsonObject(descriptor)) continue;
    const { digest, annotations } = descriptor;
    const name = isJsonObject(annotations) ? annotations['org.opencontainers.image.ref.name'] : undefined;
    if (typeof digest === 'string' && typeof name === 'string') found.set(name, digest);
  }
  return found;
};

const manifestsOf = (file: string): readonly unknown[] => {
  let index: unknown;
  try {
    index = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error));
  }
  if (isJsonObject(index) && isJsonArray(index['manifests'])) return index['manifests'];
  throw unusable(file, 'it has no list "manifests"');
};

const unusable = (file: string, detail: string): PoimenError =>
  new PoimenError({
    outcome: 'usage',
    code: 'ImagesUnusable',
    summary: `${file} is no index of an OCI layout`,
    detail,
    nextSteps: ['make the layout again, or remove the folder: then the twin makes up digests from the names of images'],
  });
