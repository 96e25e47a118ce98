import type { ApiError } from '../../cluster/api-error.ts';
import { applyPatch, PatchError } from '../../kubernetes/apply-patch.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Patch } from '../../kubernetes/patch.ts';
import type { ObjectReference } from '../../kubernetes/reference.ts';
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
