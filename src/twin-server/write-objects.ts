import type { KnownTypes } from '../cluster/live/known-types.ts';
import { isBuiltIn } from '../kubernetes/built-in-groups.ts';
import { isJsonObject } from '../kubernetes/json.ts';
import { isKubernetesObject, type KubernetesObject } from '../kubernetes/object.ts';
import type { Patch } from '../kubernetes/patch.ts';
import { patchContentTypes } from '../kubernetes/patch.ts';
import type { JsonPatch } from '../kubernetes/patch.ts';
import type { ObjectReference } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { applied, asSent, patched } from '../twin/api/patched.ts';
import { notFound } from '../twin/api/refusals.ts';
import { fromScale, toScale } from '../twin/api/scale-subresource.ts';
import { checkFields } from './fields/check-fields.ts';
import { FieldCheck } from './fields/validate-fields.ts';
import { badRequest, internalError, invalidOptions, methodNotAllowed, unknownPatchFormat } from './refusals.ts';
import { mediaTypeOf, parseText, readObjectBody } from './request-body.ts';
import type { ServerRequest } from './request.ts';
import type { Target } from './target.ts';
import { readWriteOptions } from './write-options.ts';

export interface Written {
  readonly code: 200 | 201;
  readonly object: KubernetesObject;
  /** Of fields that were left out. */
  readonly warnings: readonly string[];
}

export interface Write {
  readonly store: MemoryStore;
  readonly types: KnownTypes;
  readonly target: Target;
  readonly request: ServerRequest;
}

/** POST to a collection. Throws `ApiError`. */
export const createObject = ({ store, types, target, request }: Write): Written => {
  const options = readWriteOptions(request, 'CreateOptions');
  const fields = new FieldCheck(types, options.fieldValidation);
  const object = fields.body(target.resource, readObjectBody(request, target));
  return { code: 201, object: store.create(target.resource, object, options), warnings: fields.warnings };
};

/** PUT of an object, its status or its scale. Throws `ApiError`. */
export const replaceObject = ({ store, types, target, request }: Write): Written => {
  const reference = referenceOf(target);
  const options = readWriteOptions(request, 'UpdateOptions');
  const fields = new FieldCheck(types, options.fieldValidation);
  const { warnings } = fields;
  if (target.subresource === 'scale') {
    const { resource } = scaleTarget(target);
    const scale = fields.body(resource, readObjectBody(request, scaleTarget(target)));
    const scaled = store.change(reference, (object) => fromScale(object, scale), { ...options, subresource: 'scale' });
    return { code: 200, object: toScale(scaled), warnings };
  }
  const object = fields.body(target.resource, readObjectBody(request, target));
  const { name } = object.metadata;
  if (name !== '' && name !== reference.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${reference.name})`);
  const named = { ...object, metadata: { ...object.metadata, name: reference.name } };
  if (target.subresource === 'status') {
    return { code: 200, object: store.change(reference, () => named, { ...options, subresource: 'status' }), warnings };
  }
  const isThere = store.get(reference) !== undefined;
  return { code: isThere ? 200 : 201, object: store.update(target.resource, named, options), warnings };
};

/** PATCH, in all formats. Throws `ApiError`. */
export const patchObject = (write: Write): Written => {
  const { store, types, target, request } = write;
  if (mediaTypeOf(request) === patchContentTypes.apply) return applyToObject(write);
  const reference = referenceOf(target);
  const options = readWriteOptions(request, 'PatchOptions');
  const patch = readPatch(request);
  const fields = new FieldCheck(types, options.fieldValidation);
  const { warnings } = fields;
  const apply = (object: KubernetesObject): KubernetesObject => patched(reference, object, patch);
  if (target.subresource === 'scale') {
    const mode = { ...options, subresource: 'scale' } as const;
    const scaled = store.change(reference, (object) => fromScale(object, apply(toScale(object))), mode);
    return { code: 200, object: toScale(scaled), warnings };
  }
  const subresource = target.subresource === 'status' ? ({ subresource: 'status' } as const) : {};
  const change = (before: KubernetesObject): KubernetesObject => asSent(fields.patched(target.resource, apply(before), patch));
  return { code: 200, object: store.change(reference, change, { ...options, ...subresource }), warnings };
};

const applyToObject = ({ store, types, target, request }: Write): Written => {
  const reference = referenceOf(target);
  const options = readWriteOptions(request, 'PatchOptions');
  if ((request.query.get('fieldManager') ?? '') === '')
    throw invalidOptions('PatchOptions', 'fieldManager', 'Required value', 'is required for apply patch');
  const force = request.query.get('force') === 'true';
  const isThere = store.get(reference) !== undefined;
  const body = parseText(request.body, true, 'Patch');
  if (isKubernetesObject(body)) refuseUndeclared(types, target, body);
  const { subresource } = target;
  const through = subresource === 'status' || subresource === 'scale' ? ({ subresource } as const) : {};
  const object = applied(store, reference, { type: 'apply', body, force }, { ...options, ...through });
  return { code: isThere ? 200 : 201, object, warnings: [] };
};

/** A configuration is compared with the schema, whatever `fieldValidation` says. Throws `ApiError` 500, as the server does. */
const refuseUndeclared = (types: KnownTypes, { resource, name = '' }: Target, body: KubernetesObject): void => {
  const type = isBuiltIn(resource) ? types.typeOf(resource) : undefined;
  if (type === undefined) return;
  const [undeclared] = checkFields(types, type, body).unknown;
  if (undeclared === undefined) return;
  const path = /"(.*)"/.exec(undeclared)?.[1] ?? '';
  const gvk = `${resource.group}/${resource.version}, Kind=${resource.kind}`;
  throw internalError(
    `failed to create typed patch object (${body.metadata.namespace ?? ''}/${name}; ${gvk}): .${path}: field not declared in schema`,
  );
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
      throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp');
    return { type: 'json', operations: body as readonly unknown[] as JsonPatch };
  }
  return { type: format, body };
};
