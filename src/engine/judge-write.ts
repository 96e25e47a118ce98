import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { fullName } from '../kubernetes/reference.ts';
import { parsePointer, valueAt } from '../kubernetes/json-pointer.ts';
import type { Mutation } from '../steps/step-kind.ts';
import type { ChangeResult } from './event.ts';

const versionPath = '/metadata/resourceVersion';

/**
 * What has become of a write, judged by the object as it is now:
 *
 * - `applied`: every field is as the mutation wants it;
 * - `intact`: everything that the mutation tests still holds, so it can be sent (again);
 * - `changed`: neither; somebody else changed what it depends on.
 *
 * A stale resourceVersion alone is no change: it moves with every label.
 */
export type WriteVerdict = 'applied' | 'intact' | 'changed';

export const judgeWrite = (mutation: Mutation, object: KubernetesObject): WriteVerdict => {
  const sameObject = mutation.patch.every(
    (operation) => operation.path !== '/metadata/uid' || operation.op !== 'test' || operation.value === object.metadata.uid,
  );
  if (!sameObject) return 'changed';
  if (
    mutation.patch.every(
      (operation) => operation.op === 'test' || isDeepStrictEqual(valueAt(object, parsePointer(operation.path)), wished(operation)),
    )
  )
    return 'applied';
  const intact = mutation.patch.every(
    (operation) =>
      operation.op !== 'test' ||
      operation.path === versionPath ||
      isDeepStrictEqual(valueAt(object, parsePointer(operation.path)), operation.value),
  );
  return intact ? 'intact' : 'changed';
};

/** The same mutation for the object's present version: for one whose other preconditions still hold. */
export const rebase = (mutation: Mutation, object: KubernetesObject): Mutation => ({
  ...mutation,
  patch: mutation.patch.map((operation) =>
    operation.op === 'test' && operation.path === versionPath ? { ...operation, value: object.metadata.resourceVersion } : operation,
  ),
});

/** Whether the mutation insists on a version that is not the object's. */
export const isStale = (mutation: Mutation, object: KubernetesObject): boolean =>
  mutation.patch.some(
    (operation) => operation.op === 'test' && operation.path === versionPath && operation.value !== object.metadata.resourceVersion,
  );

/** The fields that a mutation writes: as they are in `object`, and as they would be. */
export const changesOf = (mutation: Mutation, object: KubernetesObject | undefined): readonly ChangeResult[] =>
  mutation.patch
    .filter((operation) => operation.op !== 'test')
    .map((operation) => ({
      object: fullName(mutation.target),
      path: operation.path,
      before: valueAt(object, parsePointer(operation.path)),
      after: wished(operation),
    }));

const wished = (operation: Mutation['patch'][number]): unknown => (operation.op === 'remove' ? undefined : operation.value);
