import { ApiError } from '../../../cluster/api-error.ts';
import type { ObjectReference } from '../../../kubernetes/reference.ts';
import { requestOf } from '../refusals.ts';
import { pathsOf, printPath } from './field-set.ts';
import type { ApplyConflict } from './managed-fields.ts';

/** The refusal of an apply that would change what others own. Source: apimachinery `managedfields`, `NewConflictError`. */
export const conflictError = (reference: ObjectReference, conflicts: readonly ApplyConflict[]): ApiError => {
  const found = conflicts
    .flatMap(({ owner, fields }) => pathsOf(fields).map((path) => ({ owner: printOwner(owner), path: printPath(path) })))
    .toSorted((one, other) => (one.owner < other.owner ? -1 : one.owner > other.owner ? 1 : 0));
  return new ApiError(requestOf('patch', reference), {
    code: 409,
    reason: 'Conflict',
    message: explain(found),
    details: {
      causes: found.map(({ owner, path }) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field: path })),
    },
  });
};

const printOwner = ({ manager, operation, apiVersion, subresource }: ApplyConflict['owner']): string => {
  const name = subresource === undefined ? `"${manager}"` : `"${manager}" with subresource "${subresource}"`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
};

const explain = (found: readonly { readonly owner: string; readonly path: string }[]): string => {
  const [first] = found;
  if (first !== undefined && found.length === 1) return `Apply failed with 1 conflict: conflict with ${first.owner}: ${first.path}`;
  const lines = [...new Set(found.map(({ owner }) => owner))].flatMap((owner) => [
    `conflicts with ${owner}:`,
    ...found.filter((conflict) => conflict.owner === owner).map(({ path }) => `- ${path}`),
  ]);
  return `Apply failed with ${found.length} conflicts: ${lines.join('\n')}`;
};
