import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PoimenError } from '../../errors/poimen-error.ts';
import { stringIn } from './json.ts';
import type { KubeconfigEntry } from './kubeconfig.ts';

/** `FIELD-data` (base64) where it is given, else the file that `FIELD` names. */
export const readPem = ({ fields, directory }: KubeconfigEntry, field: string, owner: string): string | undefined => {
  const data = stringIn(fields, `${field}-data`);
  if (data !== undefined && data !== '') return Buffer.from(data, 'base64').toString();
  const file = stringIn(fields, field);
  if (file === undefined || file === '') return undefined;
  const path = resolve(directory, file);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new PoimenError({
      outcome: 'usage',
      code: 'KubeconfigFileMissing',
      summary: `cannot read ${path}, which the kubeconfig names as ${field} of ${owner}`,
      detail: cause instanceof Error ? cause.message : String(cause),
      nextSteps: ['put the file there, or correct the kubeconfig'],
      cause,
    });
  }
};
