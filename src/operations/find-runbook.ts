import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { nearestName } from '../errors/nearest-name.ts';
import { PoimenError } from '../errors/poimen-error.ts';
import { parseReference } from '../kubernetes/parse-reference.ts';
import { fullName } from '../kubernetes/reference.ts';
import type { Context } from './context.ts';
import type { RunbookSource } from './plan-request.ts';

export interface RunbookText {
  /** As diagnostics cite it. */
  readonly file: string;
  readonly text: string;
}

/**
 * The text of a runbook. The flags of `cutover` become one too, so that there is one way from a wish to steps.
 *
 * @throws PoimenError `RunbookNotFound`, `RunbookUnreadable`, `BadReference`, `SameWorkload`: outcome usage.
 */
export const findRunbook = (source: RunbookSource, defaultNamespace: string, context: Context): RunbookText => {
  switch (source.kind) {
    case 'file':
      return readFile(isAbsolute(source.path) ? source.path : join(context.workingDirectory, source.path), source.path);
    case 'name': {
      const folders = [context.workingDirectory, context.packageDirectory].map((folder) => join(folder, 'runbooks'));
      const candidates = folders.map((folder) => join(folder, `${source.name}.yaml`));
      const found = candidates.find((path) => existsSync(path));
      if (found === undefined) {
        const nearest = nearestName(source.name, folders.flatMap(namesIn));
        throw notFound(source.name, candidates, [
          ...(nearest === undefined ? [] : [`did you mean ${nearest}?`]),
          'give the path of a file: poimen run ./path/to/runbook.yaml',
          'or name the objects: poimen cutover svc/NAME -n NAMESPACE --from deploy/A --to deploy/B',
        ]);
      }
      return readFile(found, relative(context.workingDirectory, found));
    }
    case 'cutover':
      return { file: 'flags', text: fromFlags(source, defaultNamespace) };
  }
};

const readFile = (path: string, file: string): RunbookText => {
  try {
    return { file, text: readFileSync(path, 'utf8') };
  } catch (error) {
    if (!existsSync(path)) throw notFound(file, [path], ['check the path; a name without .yaml is looked up in runbooks/']);
    throw new PoimenError({
      outcome: 'usage',
      code: 'RunbookUnreadable',
      summary: `cannot read the runbook ${file}`,
      detail: error instanceof Error ? error.message : String(error),
      nextSteps: ['name a runbook file that you can read'],
      cause: error,
    });
  }
};

const notFound = (name: string, candidates: readonly string[], nextSteps: readonly string[]): PoimenError =>
  new PoimenError({
    outcome: 'usage',
    code: 'RunbookNotFound',
    summary: `there is no runbook ${name}`,
    detail: `looked for:\n${[...new Set(candidates)].map((path) => `  ${path}`).join('\n')}`,
    nextSteps,
  });

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -'.yaml'.length)] : [])) : [];

const fromFlags = (source: Extract<RunbookSource, { kind: 'cutover' }>, namespace: string): string => {
  const { service, from, to, client, port, path, replicas } = source;
  const objects = {
    service: named(service, namespace, 'SERVICE'),
    from: named(from, namespace, '--from'),
    to: named(to, namespace, '--to'),
    ...(client === undefined ? {} : { client: named(client, namespace, '--client') }),
  };
  if (objects.from === objects.to) {
    throw new PoimenError({
      outcome: 'usage',
      code: 'SameWorkload',
      summary: `--from and --to name the same workload: ${objects.from}`,
      nextSteps: ['name the workload that is to take over: --to deploy/NAME'],
    });
  }
  const cutover = {
    service: 'service',
    from: 'from',
    to: 'to',
    ...(client === undefined ? {} : { client: 'client' }),
    ...(port === undefined ? {} : { port }),
    ...(path === undefined ? {} : { path }),
    ...(replicas === undefined ? {} : { replicas }),
  };
  const name = service.replace(/^.*\//, '').replace(/\..*$/, '');
  // JSON is YAML: the one parser reads it.
  return JSON.stringify(
    {
      apiVersion: 'poimen.dev/v1alpha1',
      kind: 'Runbook',
      metadata: { name, summary: `${objects.service}: from ${objects.from} to ${objects.to}` },
      objects,
      steps: [{ id: 'hand-over', cutover }],
    },
    undefined,
    2,
  );
};

const named = (text: string, namespace: string, flag: string): string => {
  const parsed = parseReference(text, { namespace });
  if (parsed.kind === 'reference') return fullName(parsed.reference);
  throw new PoimenError({ outcome: 'usage', code: 'BadReference', summary: `${flag}: ${parsed.message}` });
};
