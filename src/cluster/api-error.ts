/**
 * The body of a failed request.
 *
 * Source: Kubernetes API reference, Status v1 meta.
 */
export interface ApiStatus {
  readonly code: number;
  /** Machine-readable: `NotFound`, `Conflict`, `Invalid`, `Expired`. Empty where the server gave none. */
  readonly reason: string;
  readonly message: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

/** The request as a person would name it: what was refused or failed. */
export interface ApiRequest {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'discover';
  /** `deployments.apps` */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The server answered, with an error. */
export class ApiError extends Error {
  readonly status: ApiStatus;
  readonly request: ApiRequest;

  constructor(request: ApiRequest, status: ApiStatus) {
    super(`${request.verb} ${request.resource}${request.name === undefined ? '' : ` ${request.name}`}: ${status.message}`);
    this.name = 'ApiError';
    this.request = request;
    this.status = status;
  }
}

/**
 * No usable answer came: connection refused or reset, TLS failure, deadline, body cut short. Of a write nobody knows whether it
 * took effect: read, then decide.
 */
export class ConnectionError extends Error {
  readonly request: ApiRequest;

  constructor(request: ApiRequest, message: string, cause?: unknown) {
    super(`${request.verb} ${request.resource}: ${message}`, cause === undefined ? {} : { cause });
    this.name = 'ConnectionError';
    this.request = request;
  }
}

export const isApiError = (error: unknown, ...codes: readonly number[]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.status.code));
