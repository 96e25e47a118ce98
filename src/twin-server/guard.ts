import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../cluster/api-error.ts';
import { forbidden } from './refusals.ts';
import type { ServerRequest } from './request.ts';

export interface GuardOptions {
  readonly port: number;
  /** The first part of every path. Absent: whoever can reach the port may do everything. */
  readonly secret?: string;
}

/**
 * The request as it goes on, or who may not talk to this server, and why. It listens on loopback, which every program of this machine
 * reaches, whoever runs it, browsers included: a page from anywhere could send requests here, and by a name of its own that resolves to
 * 127.0.0.1 read the answers, too.
 *
 * The secret is a part of the address and no token, because kubectl sends tokens over TLS only.
 *
 * Throws `ApiError` 401, 403.
 */
export const admitRequest = (request: ServerRequest, { port, secret }: GuardOptions): ServerRequest => {
  const { headers, path } = request;
  const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  const { host = '', origin } = headers;
  if (!names.includes(host.toLowerCase()))
    throw forbidden(`the twin answers requests for ${names[0]} only, not for ${JSON.stringify(host)}`);
  const site = headers['sec-fetch-site'];
  if (origin !== undefined || (site !== undefined && site !== 'none')) throw forbidden('the twin answers no requests of web pages');
  if (secret === undefined || isPublic(path)) return request;
  const [first = '', ...rest] = path;
  if (!isSame(first, secret)) throw unauthorized();
  return { ...request, path: rest };
};

/** As on a server, where anybody may ask for these. Source: Kubernetes documentation, role system:public-info-viewer. */
const isPublic = ([root = '', ...rest]: readonly string[]): boolean =>
  ['healthz', 'livez', 'readyz', 'version'].includes(root) && rest.length === 0;

const isSame = (given: string, wanted: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const unauthorized = (): ApiError =>
  new ApiError(
    { verb: 'get', resource: '' },
    {
      code: 401,
      reason: 'Unauthorized',
      message: 'Unauthorized: the address of this twin has a secret part; the kubeconfig has all of it',
    },
  );
