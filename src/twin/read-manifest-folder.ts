import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../kubernetes/object.ts';

export const readManifestFolder = async (folder: string): Promise<readonly KubernetesObject[]> => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.ya?ml$/.test(name) && !/kustomization\.ya?ml$/.test(name)).toSorted();
  const objects: KubernetesObject[] = [];
  for (const name of names) {
    const documents = parseAllDocuments(await readFile(join(folder, name), 'utf8'));
    objects.push(...documents.map((document) => document.toJS() as KubernetesObject).filter((object) => object !== null));
  }
  return objects;
};
