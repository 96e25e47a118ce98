import { readFileSync } from 'node:fs';
import { collectObjects, type ManifestObject, type ManifestObjects } from './manifest-object.ts';
import { readManifestYaml } from './manifest-yaml.ts';
import type { ManifestProblem } from './position.ts';

/** The objects of one file, YAML or JSON, in the order in which they stand. */
export const readManifestFile = (file: string): ManifestObjects => {
  const text = readText(file);
  if (text.kind === 'problem') return { objects: [], problems: [text.problem] };
  const { documents, problems } = readManifestYaml(text.text, file);
  const objects: ManifestObject[] = [];
  const found = [...problems];
  for (const document of documents) collectObjects(document, file, objects, found);
  return { objects, problems: found };
};

export type ReadText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'problem'; readonly problem: ManifestProblem };

/** At once: through the event loop each of ten thousand small files would cost twenty times its reading. */
export const readText = (file: string): ReadText => {
  try {
    return { kind: 'text', text: readFileSync(file, 'utf8') };
  } catch (error) {
    return { kind: 'problem', problem: unreadable(file, error) };
  }
};

export const unreadable = (file: string, error: unknown): ManifestProblem => ({
  ...wholeFile(file),
  message: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  hint: 'check the path and its permissions',
});

export const wholeFile = (file: string): Pick<ManifestProblem, 'file' | 'line' | 'column' | 'length'> => ({
  file,
  line: 1,
  column: 1,
  length: 1,
});
