import { ApiError, type ApiRequest, type ApiStatus } from '../cluster/api-error.ts';
import { text, type WholeAnswer } from './request.ts';

/** What a server refuses before it looks at any object. Source: apiserver `pkg/endpoints/handlers`, by test against kube-apiserver 1.34. */

const request: ApiRequest = { verb: 'get', resource: '' };

/** Some refusals have details that say nothing, and some have none. */
const refuse = (code: number, reason: string, message: string, details?: ApiStatus['details']): ApiError =>
  new ApiError(request, { code, reason, message, ...(details === undefined ? {} : { details }) });

/** The group and version are served, the resource is not. */
export const noSuchResource = (): ApiError => refuse(404, 'NotFound', 'the server could not find the requested resource', {});

/** Nothing at all is served there. */
export const noSuchPath = (): WholeAnswer => text(404, '404 page not found\n');

export const methodNotAllowed = (): ApiError =>
  refuse(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

export const notAcceptable = (available: readonly string[]): ApiError =>
  refuse(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`, {});

export const unknownFormat = (accepted: readonly string[], hint = ''): ApiError =>
  refuse(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}${hint}`,
  );

export const unknownPatchFormat = (): ApiError => refuse(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});

export const internalError = (message: string): ApiError => refuse(500, '', message);

export const badRequest = (message: string): ApiError => refuse(400, 'BadRequest', message);

export const forbidden = (message: string): ApiError => refuse(403, 'Forbidden', message);

/** What needs containers, which the twin has none of. */
export const notSimulated = (message: string): ApiError => refuse(501, 'NotImplemented', message);

const reasons = {
  Forbidden: 'FieldValueForbidden',
  'Required value': 'FieldValueRequired',
  'Unsupported value': 'FieldValueNotSupported',
} as const;

/** An option of the query, or of a body of options, that cannot be used. */
export const invalidOptions = (
  kind: 'ListOptions' | 'DeleteOptions' | 'PatchOptions' | 'CreateOptions' | 'UpdateOptions',
  field: string,
  cause: 'Forbidden' | 'Required value' | 'Unsupported value',
  detail: string,
): ApiError => {
  const message = `${cause}: ${detail}`;
  const reason = reasons[cause];
  return refuse(422, 'Invalid', `${kind}.meta.k8s.io "" is invalid: ${field}: ${message}`, {
    group: 'meta.k8s.io',
    kind,
    causes: [{ reason, message, field }],
  });
};

export const versionTooLarge = (wanted: number, current: number): ApiError =>
  refuse(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

export const expired = (message: string): ApiError => refuse(410, 'Expired', message);
