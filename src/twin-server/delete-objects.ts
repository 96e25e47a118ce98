import type { DeleteOptions } from '../cluster/cluster.ts';
import { isJsonObject } from '../kubernetes/json.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { qualifiedName } from '../kubernetes/resource.ts';
import type { ObjectReference } from '../kubernetes/reference.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { itemsOf, numberOf, textOf } from '../twin/api/json.ts';
import { notFound } from '../twin/api/refusals.ts';
import { readOptionsBody } from './request-body.ts';
import type { ServerRequest } from './request.ts';
import { isTrue, readListOptions } from './list-options.ts';
import { listObjects, type Page } from './list-objects.ts';
import type { Target } from './target.ts';
import { readDryRun } from './write-options.ts';
import { referenceOf } from './write-objects.ts';

/**
 * DELETE of one object. The answer is the object where it goes on Terminating, or is of a kind that is given back; else a Status.
 *
 * Throws `ApiError`. Source: apiserver `pkg/endpoints/handlers/delete.go`, `pkg/registry/generic/registry/store.go`.
 */
export const deleteObject = (store: MemoryStore, target: Target, request: ServerRequest): unknown => {
  const reference = referenceOf(target);
  const before = store.get(reference);
  const options = readDeleteOptions(request);
  store.delete(reference, options);
  const after = store.get(reference);
  if (before === undefined) throw notFound('delete', reference);
  if (after !== undefined && options.dryRun !== true) return after;
  return givenBack.has(qualifiedName(target.resource)) ? before : success(reference, before);
};

/** DELETE of a collection: what is selected, one after the other. */
export const deleteCollection = (store: MemoryStore, target: Target, request: ServerRequest): Page => {
  const page = listObjects(store, readListOptions(target, request.query));
  const options = readDeleteOptions(request);
  for (const { metadata } of page.items) {
    const { name, namespace } = metadata;
    const reference: ObjectReference = { resource: target.resource, name, ...(namespace === undefined ? {} : { namespace }) };
    if (store.get(reference) !== undefined) store.delete(reference, options);
  }
  return page;
};

/** Kinds whose strategies return the deleted object. */
const givenBack: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'serviceaccounts',
  'persistentvolumeclaims',
  'persistentvolumes',
  'resourcequotas',
]);

const success = ({ name, resource }: ObjectReference, { metadata }: KubernetesObject): unknown => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { name, ...(resource.group === '' ? {} : { group: resource.group }), kind: resource.plural, uid: metadata.uid },
});

/** From the body, or from the query where there is none. Throws `ApiError` 400, 422. */
export const readDeleteOptions = (request: ServerRequest): DeleteOptions => {
  const body = readOptionsBody(request);
  const { query } = request;
  const preconditions = isJsonObject(body['preconditions']) ? body['preconditions'] : {};
  const [uid, resourceVersion] = [textOf(preconditions['uid']), textOf(preconditions['resourceVersion'])];
  const grace =
    numberOf(body['gracePeriodSeconds']) ?? (query.has('gracePeriodSeconds') ? Number(query.get('gracePeriodSeconds')) : undefined);
  const propagation = propagationOf(textOf(body['propagationPolicy']) ?? query.get('propagationPolicy') ?? undefined, body, query);
  return {
    dryRun: readDryRun([...itemsOf(body['dryRun']), ...query.getAll('dryRun')], 'DeleteOptions'),
    ...(grace === undefined || !Number.isInteger(grace) ? {} : { gracePeriodSeconds: grace }),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(uid === undefined && resourceVersion === undefined
      ? {}
      : { preconditions: { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) } }),
  };
};

const propagationOf = (
  given: string | undefined,
  body: Readonly<Record<string, unknown>>,
  query: URLSearchParams,
): DeleteOptions['propagationPolicy'] => {
  if (given === 'Background' || given === 'Foreground' || given === 'Orphan') return given;
  const orphan = body['orphanDependents'] ?? (query.has('orphanDependents') ? isTrue(query.get('orphanDependents') ?? '') : undefined);
  return orphan === undefined ? undefined : orphan === true ? 'Orphan' : 'Background';
};
