export interface TransportRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Once `body` has ended: whether that was the end. A connection that breaks may just end it. */
  isWhole(): boolean;
}

/** One server, over connections that stay open. */
export interface Transport {
  /** Rejects with `TransportError`, also when the signal aborts. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): void;
}

/** No answer. `sent` is false only when the server can not have seen the request. */
export class TransportError extends Error {
  readonly sent: boolean;

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'TransportError';
    this.sent = sent;
  }
}

/** `ECONNREFUSED`, `CERT_HAS_EXPIRED`: Node's and OpenSSL's codes. */
export const errorCode = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
};
