import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside, type BuildContext } from './build-context.ts';

/** The text of a file that the kustomization names. Throws an Error that says why it cannot be had. */
export const readLocalFile = async ({ folder }: BuildContext, path: string): Promise<string> => {
  const file = join(folder, path);
  if (!isInside(folder, file)) throw new Error(`${path} is outside of the kustomization's folder, which kustomize refuses`);
  const bytes = await readFile(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is no text: binary data is not supported here`);
  }
};
