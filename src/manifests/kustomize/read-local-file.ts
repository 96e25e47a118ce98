import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside, type BuildContext } from './build-context.ts';

/** The content of a file that the kustomization names. Throws an Error that says why it cannot be had. */
export const readLocalFile = async ({ folder }: BuildContext, path: string): Promise<Uint8Array> => {
  const file = join(folder, path);
  if (!isInside(folder, file)) throw new Error(`${path} is outside of the kustomization's folder, which kustomize refuses`);
  return await readFile(file);
};

/** The same of a file that has to be text. */
export const readLocalText = async (context: BuildContext, path: string): Promise<string> => {
  const bytes = await readLocalFile(context, path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is no text`);
  }
};
