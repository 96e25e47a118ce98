import { PoimenError } from '../errors/poimen-error.ts';
import { ConnectionError, type ApiError, type ApiRequest } from './api-error.ts';
import type { ClusterIdentity } from './cluster.ts';
import { explainConnectionError } from './explain-connection-error.ts';
import { explainForbidden } from './explain-forbidden.ts';

/**
 * What a failed request means to a person, before anything was written: what was asked, the server's own words, and what to do.
 */
export const explainApiError = (error: ApiError | ConnectionError, identity: ClusterIdentity): PoimenError => {
  if (error instanceof ConnectionError) return explainConnectionError(error, identity);
  const { status } = error;
  if (status.code === 401) return explainUnauthenticated(error, identity);
  if (status.code === 403) return explainForbidden(error, identity);
  return new PoimenError({
    outcome: 'refused',
    code: status.reason === '' ? `Http${status.code}` : status.reason,
    summary: `the server refused to ${requestWords(error.request)}`,
    detail: serverWords(error),
    nextSteps: isPassing(status.code) ? ['try again'] : [],
    cause: error,
  });
};

/** `patch deployments.apps clef-serve in llm-serving` */
export const requestWords = ({ verb, resource, name, namespace }: ApiRequest): string =>
  [verb, resource, ...(name === undefined ? [] : [name]), ...(namespace === undefined ? [] : ['in', namespace])].join(' ');

/** In kubectl's form, which people search for. */
export const serverWords = ({ status }: ApiError): string =>
  status.reason === '' ? `Error from server: ${status.message}` : `Error from server (${status.reason}): ${status.message}`;

const isPassing = (code: number): boolean => code === 429 || code >= 500;

const explainUnauthenticated = (error: ApiError, { user, name, server }: ClusterIdentity): PoimenError =>
  new PoimenError({
    outcome: 'refused',
    code: 'Unauthorized',
    summary: `${server} does not accept the credentials of ${user === undefined ? 'this client' : `user "${user}"`}`,
    detail: serverWords(error),
    nextSteps: ['log in again (the token or certificate may have expired)', `check with: kubectl --context ${name} auth whoami`],
    cause: error,
  });
