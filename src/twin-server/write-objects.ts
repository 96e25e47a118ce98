import { isJsonObject } from '../kubernetes/json.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Patch } from '../kubernetes/patch.ts';
import { patchContentTypes } from '../kubernetes/patch.ts';
import type { JsonPatch } from '../kubernetes/patch.ts';
import type { ObjectReference } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { applied, asSent, patched } from '../twin/api/patched.ts';
import { notFound } from '../twin/api/refusals.ts';
import { fromScale, toScale } from '../twin/api/scale-subresource.ts';
import { badRequest, invalidOptions, methodNotAllowed, unknownPatchFormat } from './refusals.ts';
import { mediaTypeOf, parseText, readObjectBody } from './request-body.ts';
import type { ServerRequest } from './request.ts';
import type { Target } from './target.ts';
import { readWriteOptions } from './write-options.ts';

export interface Written {
  readonly code: 200 | 201;
  readonly object: KubernetesObject;
}

/** POST to a collection. Throws `ApiError`. */
export const createObject = (store: MemoryStore, target: Target, request: ServerRequest): Written => {
  const options = readWriteOptions(request, 'CreateOptions');
  return { code: 201, object: store.create(target.resource, readObjectBody(request, target), options) };
};

/** PUT of an object, its status or its scale. Throws `ApiError`. */
export const replaceObject = (store: MemoryStore, target: Target, request: ServerRequest): Written => {
  const reference = referenceOf(target);
  const options = readWriteOptions(request, 'UpdateOptions');
  if (target.subresource === 'scale') {
    const scale = readObjectBody(request, scaleTarget(target));
    return {
      code: 200,
      object: toScale(store.change(reference, (object) => fromScale(object, scale), { ...options, subresource: 'scale' })),
    };
  }
  const object = readObjectBody(request, target);
  const { name } = object.metadata;
  if (name !== '' && name !== reference.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${reference.name})`);
  const named = { ...object, metadata: { ...object.metadata, name: reference.name } };
  if (target.subresource === 'status') {
    return { code: 200, object: store.change(reference, () => named, { ...options, subresource: 'status' }) };
  }
  const isThere = store.get(reference) !== undefined;
  return { code: isThere ? 200 : 201, object: store.update(target.resource, named, options) };
};

/** PATCH, in all formats. Throws `ApiError`. */
export const patchObject = (store: MemoryStore, target: Target, request: ServerRequest): Written => {
  if (mediaTypeOf(request) === patchContentTypes.apply) return applyToObject(store, target, request);
  const reference = referenceOf(target);
  const options = readWriteOptions(request, 'PatchOptions');
  const patch = readPatch(request);
  const apply = (object: KubernetesObject): KubernetesObject => patched(reference, object, patch);
  if (target.subresource === 'scale') {
    const mode = { ...options, subresource: 'scale' } as const;
    const scaled = store.change(reference, (object) => fromScale(object, apply(toScale(object))), mode);
    return { code: 200, object: toScale(scaled) };
  }
  const subresource = target.subresource === 'status' ? ({ subresource: 'status' } as const) : {};
  return { code: 200, object: store.change(reference, (before) => asSent(apply(before)), { ...options, ...subresource }) };
};

const applyToObject = (store: MemoryStore, target: Target, request: ServerRequest): Written => {
  const reference = referenceOf(target);
  const options = readWriteOptions(request, 'PatchOptions');
  if ((request.query.get('fieldManager') ?? '') === '')
    throw invalidOptions('PatchOptions', 'fieldManager', 'Required value', 'is required for apply patch');
  const force = request.query.get('force') === 'true';
  const isThere = store.get(reference) !== undefined;
  const body = parseText(request.body, true, 'Patch');
  const { subresource } = target;
  const through = subresource === 'status' || subresource === 'scale' ? ({ subresource } as const) : {};
  return { code: isThere ? 200 : 201, object: applied(store, reference, { type: 'apply', body, force }, { ...options, ...through }) };
};

/** GET of a workload's scale. Throws `ApiError` 404. */
export const scaleOf = (store: MemoryStore, target: Target): KubernetesObject => {
  const reference = referenceOf(target);
  const object = store.get(reference);
  if (object === undefined) throw notFound('get', reference);
  return toScale(object);
};

export const referenceOf = ({ resource, namespace, name }: Target): ObjectReference => {
  if (name === undefined) throw methodNotAllowed();
  return { resource, name, ...(namespace === undefined ? {} : { namespace }) };
};

const scaleTarget = (target: Target): Target => ({
  ...target,
  resource: { ...resources.deployments, group: 'autoscaling', version: 'v1', plural: 'scales', kind: 'Scale' },
});

const readPatch = (request: ServerRequest): Patch => {
  const type = mediaTypeOf(request);
  const format = (['json', 'merge', 'strategic'] as const).find((candidate) => patchContentTypes[candidate] === type);
  if (format === undefined) throw unknownPatchFormat();
  const body = parseText(request.body, false, 'Patch');
  if (format === 'json') {
    if (!Array.isArray(body) || !body.every(isJsonObject))
      throw badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
    return { type: 'json', operations: body as readonly unknown[] as JsonPatch };
  }
  return { type: format, body };
};
