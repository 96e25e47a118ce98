/** What a request was for. */
export type Purpose = 'manifest' | 'blob' | 'referrers' | 'token';

/** One request on the wire, once its answer was read or given up. Redirects, retries and tokens are requests of their own. */
export interface RequestRecord {
  readonly purpose: Purpose;
  readonly method: string;
  /** Without user, password and values of the query that could be a secret. */
  readonly url: string;
  /** `undefined`: no answer. */
  readonly status: number | undefined;
  /** Of the answer's body, as they came. */
  readonly bodyBytes: number;
  /** Of the answer's header fields, as HTTP/1.1 writes them. */
  readonly headerBytes: number;
  /** Why there is no answer, or no whole one. */
  readonly problem?: string;
}

export type RequestListener = (record: RequestRecord) => void;

/** Parameters that hold no secret; those of signed addresses of object stores do. */
const plainParameters = new Set(['scope', 'service', 'account', 'ns', 'n', 'last', 'artifactType', 'digest']);

/** An address as it may stand in a message or a trace. */
export const urlWithoutSecrets = (url: URL): string => {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  shown.hash = '';
  shown.search = '';
  const parameters = [...url.searchParams].map(([name, value]) => `${name}=${plainParameters.has(name) ? value : '...'}`);
  return `${shown.href}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`;
};
