import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PoimenError } from '../errors/poimen-error.ts';
import type { Diagnostic } from '../runbook/diagnostic.ts';
import { lintRunbooks } from '../runbook/lint-runbooks.ts';
import type { RunbookText } from '../runbook/load-runbook.ts';
import type { Context } from './context.ts';

export interface LintResult {
  /** The runbooks that were read, as the caller named them. */
  readonly files: readonly string[];
  /** Sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What can be said about runbooks without running them. A folder stands for the YAML files directly in it.
 *
 * @throws PoimenError `PathUnreadable`: outcome usage.
 */
export const lint = (paths: readonly string[], { workingDirectory }: Context): LintResult => {
  const files = paths.flatMap((path) => runbooksAt(path, workingDirectory));
  return { files: files.map(({ file }) => file), diagnostics: lintRunbooks(files) };
};

const runbooksAt = (path: string, workingDirectory: string): readonly RunbookText[] => {
  try {
    const absolute = resolve(workingDirectory, path);
    if (!statSync(absolute).isDirectory()) return [{ file: path, text: readFileSync(absolute, 'utf8') }];
    const names = readdirSync(absolute).filter((name) => /\.ya?ml$/.test(name));
    return names.toSorted().map((name) => ({ file: join(path, name), text: readFileSync(join(absolute, name), 'utf8') }));
  } catch (error) {
    throw new PoimenError({
      outcome: 'usage',
      code: 'PathUnreadable',
      summary: `cannot read ${path}`,
      detail: error instanceof Error ? error.message : String(error),
      nextSteps: ['name a runbook file, or a folder of them: poimen lint runbooks'],
      cause: error,
    });
  }
};
