import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PoimenError } from '../../errors/poimen-error.ts';
import { errorCode } from './transport.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface KubeconfigFile {
  readonly path: string;
  readonly text: string;
}

export interface KubeconfigFiles {
  /** Where it was looked, in the order in which they count. */
  readonly looked: readonly string[];
  readonly files: readonly KubeconfigFile[];
}

/**
 * Reads what kubectl would: `--kubeconfig` alone, else each file of KUBECONFIG that exists, else ~/.kube/config.
 *
 * Source: Kubernetes documentation, "Organizing Cluster Access Using kubeconfig Files".
 */
export const readKubeconfigFiles = (flag: string | undefined, env: Environment): KubeconfigFiles => {
  if (flag !== undefined) return { looked: [flag], files: [readFile(flag) ?? fail(flag, 'there is no such file')] };
  const listed = [...new Set((env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== ''))];
  const looked = listed.length > 0 ? listed : [join(env['HOME'] ?? env['USERPROFILE'] ?? homedir(), '.kube', 'config')];
  return { looked, files: looked.flatMap((path) => readFile(path) ?? []) };
};

const readFile = (path: string): KubeconfigFile | undefined => {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    return fail(path, error instanceof Error ? error.message : String(error), error);
  }
};

const fail = (path: string, detail: string, cause?: unknown): never => {
  throw new PoimenError({
    outcome: 'usage',
    code: 'KubeconfigUnreadable',
    summary: `cannot read the kubeconfig ${path}`,
    detail,
    nextSteps: ['name a kubeconfig that you can read: --kubeconfig FILE'],
    cause,
  });
};
