import { readFile } from 'node:fs/promises';
import { objectsOf, type ManifestObjects } from './manifest-object.ts';
import type { ManifestProblem } from './position.ts';
import { parseYamlStream } from './yaml.ts';

/** The objects of one file, YAML or JSON, in the order in which they stand. */
export const readManifestFile = async (file: string): Promise<ManifestObjects> => {
  const text = await readText(file);
  if (text.kind === 'problem') return { objects: [], problems: [text.problem] };
  const { documents, problems } = parseYamlStream(text.text, file);
  const found = documents.map(objectsOf);
  return { objects: found.flatMap(({ objects }) => objects), problems: [...problems, ...found.flatMap((part) => part.problems)] };
};

export type ReadText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'problem'; readonly problem: ManifestProblem };

export const readText = async (file: string): Promise<ReadText> => {
  try {
    return { kind: 'text', text: await readFile(file, 'utf8') };
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
