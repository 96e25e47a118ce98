import { ApiError, type ApiRequest, type ApiStatus } from '../../cluster/api-error.ts';
import type { ObjectReference } from '../../kubernetes/reference.ts';
import { qualifiedName, type Resource } from '../../kubernetes/resource.ts';

/** Why a field is not accepted. Source: apimachinery `util/validation/field`. */
export interface Cause {
  readonly field: string;
  readonly reason: 'FieldValueRequired' | 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueNotSupported' | 'FieldValueDuplicate';
  readonly message: string;
}

const show = (value: unknown): string => JSON.stringify(value);

export const required = (field: string, detail = ''): Cause => ({
  field,
  reason: 'FieldValueRequired',
  message: detail === '' ? 'Required value' : `Required value: ${detail}`,
});

export const invalid = (field: string, value: unknown, detail: string): Cause => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${show(value)}: ${detail}`,
});

export const forbidden = (field: string, detail: string): Cause => ({
  field,
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
});

export const notSupported = (field: string, value: unknown, supported: readonly string[]): Cause => ({
  field,
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${show(value)}: supported values: ${supported.map(show).join(', ')}`,
});

/** Names the request in an error. */
export const requestOf = (
  verb: ApiRequest['verb'],
  target: { readonly resource: Resource; readonly namespace?: string; readonly name?: string },
): ApiRequest => ({
  verb,
  resource: qualifiedName(target.resource),
  ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
  ...(target.name === undefined ? {} : { name: target.name }),
});

const detailsOf = (reference: ObjectReference): NonNullable<ApiStatus['details']> => ({
  name: reference.name,
  ...(reference.resource.group === '' ? {} : { group: reference.resource.group }),
  kind: reference.resource.plural,
});

const refuse = (request: ApiRequest, code: number, reason: string, message: string, details?: ApiStatus['details']): ApiError =>
  new ApiError(request, { code, reason, message, ...(details === undefined ? {} : { details }) });

export const notFound = (verb: ApiRequest['verb'], reference: ObjectReference): ApiError =>
  refuse(
    requestOf(verb, reference),
    404,
    'NotFound',
    `${qualifiedName(reference.resource)} ${show(reference.name)} not found`,
    detailsOf(reference),
  );

/** The resource is not served at all: what answers has no Status to give. */
export const notServed = (verb: ApiRequest['verb'], resource: Resource): ApiError =>
  refuse(requestOf(verb, { resource }), 404, '', 'HTTP 404: 404 page not found');

export const alreadyExists = (reference: ObjectReference): ApiError =>
  refuse(
    requestOf('create', reference),
    409,
    'AlreadyExists',
    `${qualifiedName(reference.resource)} ${show(reference.name)} already exists`,
    detailsOf(reference),
  );

export const conflict = (verb: ApiRequest['verb'], reference: ObjectReference, why: string): ApiError =>
  refuse(
    requestOf(verb, reference),
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedName(reference.resource)} ${show(reference.name)}: ${why}`,
    detailsOf(reference),
  );

/** Here the server names the kind, not the resource. Source: apiserver `BeforeDelete`. */
export const preconditionFailed = (
  reference: ObjectReference,
  what: 'UID' | 'ResourceVersion',
  wanted: string,
  found: string | undefined,
  since: string,
): ApiError => {
  const { kind, group } = reference.resource;
  const message =
    `Operation cannot be fulfilled on ${group === '' ? kind : `${kind}.${group}`} ${show(reference.name)}: ` +
    `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been ${since}`;
  return refuse(requestOf('delete', reference), 409, 'Conflict', message, { ...detailsOf(reference), kind });
};

export const staleVersion = (verb: ApiRequest['verb'], reference: ObjectReference): ApiError =>
  conflict(verb, reference, 'the object has been modified; please apply your changes to the latest version and try again');

/** Source: apimachinery `errors.NewInvalid`. */
export const notValid = (verb: ApiRequest['verb'], reference: ObjectReference, causes: readonly Cause[]): ApiError => {
  const { kind, group } = reference.resource;
  const sentences = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const list = sentences.length === 1 ? sentences[0] : `[${sentences.join(', ')}]`;
  return refuse(
    requestOf(verb, reference),
    422,
    'Invalid',
    `${group === '' ? kind : `${kind}.${group}`} ${show(reference.name)} is invalid: ${list}`,
    {
      ...((reference.name ?? '') === '' ? {} : { name: reference.name }),
      ...(group === '' ? {} : { group }),
      kind,
      causes,
    },
  );
};

/** Of PUT on kinds that are never overwritten unseen. The server names the resource here, not the kind. */
export const versionRequired = (verb: ApiRequest['verb'], reference: ObjectReference): ApiError => {
  const cause = invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  const message = `${qualifiedName(reference.resource)} ${show(reference.name)} is invalid: ${cause.field}: ${cause.message}`;
  return refuse(requestOf(verb, reference), 422, 'Invalid', message, { ...detailsOf(reference), causes: [cause] });
};

/** What a failed `test`, and a path that is not there, of a JSON Patch come to: no causes, no names. */
export const patchNotApplied = (reference: ObjectReference): ApiError =>
  refuse(requestOf('patch', reference), 422, 'Invalid', 'the server rejected our request due to an error in our request', {});

export const internalError = (request: ApiRequest, message: string): ApiError => refuse(request, 500, '', message);

export const badRequest = (request: ApiRequest, message: string): ApiError => refuse(request, 400, 'BadRequest', message);

/** Custom resources have no strategic merge: the server does not know how to merge their lists. */
export const unsupportedMediaType = (reference: ObjectReference): ApiError =>
  refuse(
    requestOf('patch', reference),
    415,
    'UnsupportedMediaType',
    'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  );

export const denied = (request: ApiRequest, message: string, details?: ApiStatus['details']): ApiError =>
  refuse(request, 403, 'Forbidden', message, details);

/** A watch wants to go on from before what the server still knows. */
export const expired = (resource: Resource, wanted: number, oldest: number): ApiError =>
  refuse(requestOf('watch', { resource }), 410, 'Expired', `too old resource version: ${wanted} (${oldest})`);
