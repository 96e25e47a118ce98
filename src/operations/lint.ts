import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PoimenError } from '../errors/poimen-error.ts';
import { sortDiagnostics, type Diagnostic } from '../runbook/diagnostic.ts';
import { lintRunbooks } from '../runbook/lint-runbooks.ts';
import type { RunbookText } from '../runbook/load-runbook.ts';
import type { Context } from './context.ts';

export interface LintResult {
  /** The files that were read, as the caller named them. */
  readonly files: readonly string[];
  /** Sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What can be said about runbooks and manifests without running them. A folder stands for the YAML files directly in it; where it has a
 * kustomization, for what that builds, too.
 *
 * @throws PoimenError `PathUnreadable`: outcome usage.
 */
export const lint = async (paths: readonly string[], { workingDirectory }: Context): Promise<LintResult> => {
  const named = paths.map((path) => ({ path, files: filesAt(path, workingDirectory) }));
  const runbooks = named.flatMap(({ files }) => files.filter((file) => !isManifest(file)));
  const withManifests = named.filter(({ files }) => files.some(isManifest));
  return {
    files: named.flatMap(({ files }) => files.map(({ file }) => file)),
    diagnostics: sortDiagnostics([
      ...lintRunbooks(runbooks),
      ...(await lintAll(
        withManifests.map(({ path }) => path),
        workingDirectory,
      )),
    ]),
  };
};

/** Loaded where there are any: the engine that judges policies costs a good part of the start. */
const lintAll = async (paths: readonly string[], workingDirectory: string): Promise<readonly Diagnostic[]> => {
  if (paths.length === 0) return [];
  const { lintManifests } = await import('./lint-manifests.ts');
  return (await Promise.all(paths.map((path) => lintManifests(path, workingDirectory)))).flat();
};

/** What does not say what it is counts as a runbook: it is told what is missing. */
const isManifest = ({ file, text }: RunbookText): boolean =>
  /(?:^|\/)kustomization\.ya?ml$/i.test(file) ||
  file.endsWith('.json') ||
  (/^apiVersion:/m.test(text) && /^kind:/m.test(text) && !/^apiVersion:\s*["']?poimen\.dev\//m.test(text));

const filesAt = (path: string, workingDirectory: string): readonly RunbookText[] => {
  try {
    const absolute = resolve(workingDirectory, path);
    if (!statSync(absolute).isDirectory()) return [{ file: path, text: readFileSync(absolute, 'utf8') }];
    const names = readdirSync(absolute).filter((name) => /\.(?:ya?ml|json)$/.test(name));
    return names.toSorted().map((name) => ({ file: join(path, name), text: readFileSync(join(absolute, name), 'utf8') }));
  } catch (error) {
    throw new PoimenError({
      outcome: 'usage',
      code: 'PathUnreadable',
      summary: `cannot read ${path}`,
      detail: error instanceof Error ? error.message : String(error),
      nextSteps: ['name a runbook, a manifest, or a folder of them: poimen lint runbooks'],
      cause: error,
    });
  }
};
