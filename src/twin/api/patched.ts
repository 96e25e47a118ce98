import type { ApiError } from '../../cluster/api-error.ts';
import { applyPatch, PatchError } from '../../kubernetes/apply-patch.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { isJsonObject } from '../../kubernetes/json.ts';
import type { ApplyPatch, Patch } from '../../kubernetes/patch.ts';
import type { ObjectReference } from '../../kubernetes/reference.ts';
import { apiVersionOf } from '../../kubernetes/resource.ts';
import type { MemoryStore } from './memory-store.ts';
import { badRequest, patchNotApplied, requestOf, unsupportedMediaType } from './refusals.ts';

/** A copy of what JSON would carry, so that what the caller does to its object afterwards does not reach the store. */
export const asSent = (object: KubernetesObject): KubernetesObject => JSON.parse(JSON.stringify(object)) as KubernetesObject;

/** Source: apiserver `pkg/endpoints/handlers/patch.go`. */
export const patched = (reference: ObjectReference, object: KubernetesObject, patch: Patch): KubernetesObject => {
  try {
    return asSent(applyPatch(object, patch, reference.resource));
  } catch (error) {
    throw error instanceof PatchError ? refusalOf(reference, error) : error;
  }
};

const refusalOf = (reference: ObjectReference, error: PatchError): ApiError => {
  switch (error.code) {
    case 'TestFailed':
    case 'PathMissing':
      return patchNotApplied(reference);
    case 'UnsupportedMediaType':
      return unsupportedMediaType(reference);
    case 'Malformed':
      return badRequest(requestOf('patch', reference), error.message);
  }
};

/**
 * A configuration applied to the object in the store, which is created where it is not there. What the body leaves out of the object's
 * name and namespace is that of the reference.
 *
 * @throws ApiError 400 for a body that does not fit, 409 where others own fields with other values.
 */
export const applied = (
  store: MemoryStore,
  reference: ObjectReference,
  patch: ApplyPatch,
  options: { readonly fieldManager: string; readonly dryRun?: boolean; readonly subresource?: 'status' | 'scale' },
): KubernetesObject => {
  const { fieldManager, dryRun = false, subresource } = options;
  const request = requestOf('patch', reference);
  if (subresource === 'scale')
    throw badRequest(request, 'the twin does not apply to the scale of an object: patch it, or apply spec.replicas');
  const configuration = configurationOf(reference, patch.body);
  const force = patch.force === true;
  return store.apply(reference, configuration, { fieldManager, dryRun, force, ...(subresource === undefined ? {} : { subresource }) });
};

/** Source: apimachinery `managedfields`, `versioncheck.go`, `structuredmerge.go`. */
const configurationOf = (reference: ObjectReference, body: unknown): KubernetesObject => {
  const request = requestOf('patch', reference);
  if (!isJsonObject(body)) throw badRequest(request, 'error decoding YAML: the configuration has to be an object');
  const { resource, name, namespace } = reference;
  const { apiVersion, kind } = body;
  if (apiVersion !== apiVersionOf(resource) || kind !== resource.kind) {
    throw badRequest(
      request,
      `invalid object type: ${String(apiVersion)}, Kind=${String(kind)} does not match ${apiVersionOf(resource)}, Kind=${resource.kind}`,
    );
  }
  const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
  if (metadata['managedFields'] !== undefined) throw badRequest(request, 'metadata.managedFields must be nil');
  const named = { ...metadata, name: metadata['name'] ?? name, ...(namespace === undefined ? {} : { namespace }) };
  return asSent({ ...body, apiVersion, kind, metadata: named } as KubernetesObject);
};
