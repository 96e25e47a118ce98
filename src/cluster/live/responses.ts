import { ConnectionError, type ApiRequest, type ApiStatus } from '../api-error.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { isJsonObject, objectsIn, stringIn, type JsonObject } from './json.ts';

const longestForeignText = 300;

/**
 * The Status of a failed request, from its body. A body that is none (a proxy's or load balancer's page) becomes the message.
 *
 * Source: Kubernetes API reference, Status v1 meta.
 */
export const readStatus = (httpStatus: number, body: string): ApiStatus => {
  const status = parseJson(body);
  if (isJsonObject(status) && status['kind'] === 'Status') return statusOf(status, httpStatus);
  const text = body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { code: httpStatus, reason: '', message: `HTTP ${httpStatus}${text === '' ? '' : `: ${text.slice(0, longestForeignText)}`}` };
};

/** From a body, or from the object of an ERROR event, which may lack the code. */
export const statusOf = (status: JsonObject, fallbackCode: number): ApiStatus => {
  const details = status['details'];
  return {
    code: typeof status['code'] === 'number' && status['code'] !== 0 ? status['code'] : fallbackCode,
    reason: stringIn(status, 'reason') ?? '',
    message: stringIn(status, 'message') ?? 'no message',
    ...(isDetails(details) ? { details } : {}),
  };
};

const isDetails = (value: unknown): value is NonNullable<ApiStatus['details']> => isJsonObject(value);

export const readObject = (request: ApiRequest, body: string): KubernetesObject => {
  const value = parseJson(body);
  if (isKubernetesObject(value)) return value;
  throw new ConnectionError(request, `the answer is no Kubernetes object: ${body.slice(0, longestForeignText)}`);
};

export interface ListPage {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continueToken: string;
}

/** Items of a list come without `apiVersion` and `kind`: the list says them for all. */
export const readListPage = (request: ApiRequest, body: string, item: { readonly apiVersion: string; readonly kind: string }): ListPage => {
  const list = parseJson(body);
  const metadata = isJsonObject(list) ? list['metadata'] : undefined;
  if (!isJsonObject(list) || !isJsonObject(metadata) || typeof metadata['resourceVersion'] !== 'string') {
    throw new ConnectionError(request, `the answer is no list: ${body.slice(0, longestForeignText)}`);
  }
  const items = objectsIn(list, 'items').map((object) => ({ ...item, ...object }));
  return {
    items: items.filter(isKubernetesObject),
    resourceVersion: metadata['resourceVersion'],
    continueToken: stringIn(metadata, 'continue') ?? '',
  };
};

export const isKubernetesObject = (value: unknown): value is KubernetesObject =>
  isJsonObject(value) && typeof value['kind'] === 'string' && typeof value['apiVersion'] === 'string' && isJsonObject(value['metadata']);

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
