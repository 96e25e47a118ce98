import { load, YAMLException } from 'js-yaml';
import { isBuiltIn } from '../kubernetes/built-in-groups.ts';
import { isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { apiVersionOf } from '../kubernetes/resource.ts';
import { badRequest, unknownFormat } from './refusals.ts';
import type { ServerRequest } from './request.ts';
import type { Target } from './target.ts';

const accepted = ['application/json', 'application/yaml'];

export const mediaTypeOf = ({ headers }: ServerRequest): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Clients with generated code write it, JSON reaches the twin from all others. */
const protobufHint =
  '. The twin reads no protobuf: write the object as YAML (--dry-run=client -o yaml) and give it to kubectl apply -f or kubectl create -f';

/**
 * The object in a request's body; type and namespace are taken from the URL where it does not say them.
 *
 * @throws ApiError 400, 415.
 */
export const readObjectBody = (request: ServerRequest, target: Target): KubernetesObject => {
  const { resource, namespace } = target;
  const body = parseBody(request, resource.kind);
  const { apiVersion = apiVersionOf(resource), kind = resource.kind, metadata = {}, ...rest } = body;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonObject(metadata)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): apiVersion, kind or metadata is not what it has to be`,
    );
  }
  const { namespace: named = '', name = '', ...others } = metadata;
  if (typeof named !== 'string' || typeof name !== 'string') {
    throw badRequest(
      `${resource.kind} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${resource.kind}: name and namespace are texts`,
    );
  }
  if (resource.namespaced && named !== '' && namespace !== undefined && named !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const object = {
    apiVersion,
    kind,
    metadata: { ...others, name, ...(resource.namespaced && namespace !== undefined ? { namespace } : {}) },
    ...rest,
  };
  return isBuiltIn(resource) ? (withoutNull(object) as KubernetesObject) : object;
};

/** An options body, which may be missing. */
export const readOptionsBody = (request: ServerRequest): JsonObject =>
  request.body.trim() === '' ? {} : parseBody(request, 'DeleteOptions');

const parseBody = (request: ServerRequest, kind: string): JsonObject => {
  const type = mediaTypeOf(request);
  if (type === 'application/vnd.kubernetes.protobuf') throw unknownFormat(accepted, protobufHint);
  if (type !== '' && !accepted.includes(type)) throw unknownFormat(accepted);
  const value = parseText(request.body, type === 'application/yaml', kind);
  if (isJsonObject(value)) return value;
  throw badRequest(`the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; it is no object`);
};

/** @throws ApiError 400. */
export const parseText = (body: string, isYaml: boolean, kind: string): unknown => {
  try {
    return isYaml ? load(body) : JSON.parse(body);
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof YAMLException)) throw error;
    const shown = body === '' ? '<empty>' : body.slice(0, 100);
    const reason = body === '' || body === '{' ? 'unexpected end of JSON input' : error.message;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${reason} (${shown})`,
    );
  }
};

/** What a typed server cannot tell from a field that is not there. */
const withoutNull = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, withoutNull(field)]])));
};
