import { isJsonObject } from '../kubernetes/json.ts';
import { badRequest } from './refusals.ts';

/** Where the next page begins, and of which version the list is. Source: apiserver `pkg/storage/continue.go`. */
export interface ContinueToken {
  readonly version: number;
  /** `namespace/name` of the last object of the page before. */
  readonly after: string;
}

export const formatContinueToken = ({ version, after }: ContinueToken): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: `${after}\0` })).toString('base64url');

/** @throws ApiError 400. */
export const readContinueToken = (token: string): ContinueToken => {
  const { rv, start } = decode(token);
  if (typeof rv !== 'number' || typeof start !== 'string')
    throw badRequest('invalid continue token: continue key is not valid: no version');
  return { version: rv, after: start.replace(/\0$/, '') };
};

const decode = (token: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (isJsonObject(value)) return value;
  } catch {
    // said below
  }
  throw badRequest('invalid continue token: continue key is not valid: it is not one of this server');
};
