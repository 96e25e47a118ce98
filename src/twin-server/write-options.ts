import type { WriteOptions } from '../cluster/cluster.ts';
import { invalidOptions } from './refusals.ts';
import type { ServerRequest } from './request.ts';

/** Source: Kubernetes API concepts, "Dry-run"; API reference, common parameters. Throws `ApiError` 422. */
export const readWriteOptions = (
  { query, headers }: ServerRequest,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): WriteOptions & { readonly fieldValidation: FieldValidation } => ({
  dryRun: readDryRun(query.getAll('dryRun'), kind),
  fieldManager: query.get('fieldManager') ?? managerOf(headers['user-agent']),
  fieldValidation: readFieldValidation(query.get('fieldValidation') ?? '', kind),
});

export const readDryRun = (values: readonly unknown[], kind: Parameters<typeof invalidOptions>[0]): boolean => {
  const given = values.filter((value) => value !== '');
  if (given.some((value) => value !== 'All'))
    throw invalidOptions(kind, 'dryRun', 'Unsupported value', `${JSON.stringify(given)}: supported values: "All"`);
  return given.length > 0;
};

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

const readFieldValidation = (value: string, kind: Parameters<typeof invalidOptions>[0]): FieldValidation => {
  if (value === '') return 'Warn';
  if (value === 'Ignore' || value === 'Warn' || value === 'Strict') return value;
  throw invalidOptions(
    kind,
    'fieldValidation',
    'Unsupported value',
    `${JSON.stringify(value)}: supported values: "", "Ignore", "Strict", "Warn"`,
  );
};

/** Who writes and does not say so is known by its program's name. Source: apiserver `managerOrUserAgent`. */
const managerOf = (userAgent = ''): string => (userAgent.split('/')[0] ?? '').slice(0, 128) || 'unknown';
