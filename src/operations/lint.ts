import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PoimenError } from '../errors/poimen-error.ts';
import type { Diagnostic } from '../runbook/diagnostic.ts';
import { lintRunbooks } from '../runbook/lint-runbooks.ts';
import type { RunbookText } from '../runbook/load-runbook.ts';
import type { Context } from './context.ts';

export interface LintResult {
  /** The files that were read, as they were named. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks runbooks without running them. Files are taken for runbooks whatever they hold; of a folder, those YAML files that
 * say that they are one.
 *
 * @throws PoimenError `PathUnreadable`, `NoRunbooks`: outcome usage.
 */
export const lint = async (paths: readonly string[], context: Context): Promise<LintResult> => {
  const texts = (await Promise.all(paths.map((path) => readRunbooks(path, context)))).flat();
  if (texts.length === 0)
    throw new PoimenError({ outcome: 'usage', code: 'NoRunbooks', summary: `there is no runbook in ${paths.join(', ')}` });
  return { files: texts.map(({ file }) => file), diagnostics: lintRunbooks(texts) };
};

const readRunbooks = async (path: string, context: Context): Promise<readonly RunbookText[]> => {
  const absolute = resolve(context.workingDirectory, path);
  try {
    if (!(await stat(absolute)).isDirectory()) return [await readText(absolute, path)];
    const names = (await readdir(absolute, { recursive: true })).filter((name) => /\.ya?ml$/.test(name)).toSorted();
    const texts = await Promise.all(names.map((name) => readText(join(absolute, name), join(path, name))));
    return texts.filter(({ text }) => /^kind:\s*["']?Runbook\b/m.test(text));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new PoimenError({ outcome: 'usage', code: 'PathUnreadable', summary: `cannot read ${path}`, detail, cause: error });
  }
};

const readText = async (absolute: string, file: string): Promise<RunbookText> => ({ file, text: await readFile(absolute, 'utf8') });
