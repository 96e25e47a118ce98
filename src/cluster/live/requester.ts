import { delay, type Clock } from '../../clock/clock.ts';
import { ApiError, ConnectionError, type ApiRequest } from '../api-error.ts';
import { abortable } from './abortable.ts';
import type { Connection } from './connection.ts';
import type { Credentials } from './credentials.ts';
import { Deadline } from './deadline.ts';
import { readStatus } from './responses.ts';
import { pauseBeforeRetryMs } from './retry.ts';
import { errorCode, TransportError, type TransportResponse } from './transport.ts';

export interface Call {
  /** For errors. */
  readonly request: ApiRequest;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query. */
  readonly path: string;
  readonly content?: { readonly type: string; readonly body: unknown };
  readonly signal?: AbortSignal | undefined;
  /** Whatever the method: it may be sent twice, because nothing is stored. Default: for GET alone. */
  readonly changesNothing?: boolean;
}

export interface RequesterOptions {
  readonly connection: Connection;
  readonly credentials: Credentials;
  /** For the pauses between two tries. */
  readonly clock: Clock;
  /** Of one try, until the whole answer is in. 0 is no limit. */
  readonly timeoutMs: number;
  /** Whether to ask for compressed answers, which the API server gives from 128 KiB on. Watches never are. */
  readonly acceptsGzip?: boolean;
}

/** Sends calls: with credentials, each try within a deadline, and again where that is safe. */
export class Requester {
  private readonly options: RequesterOptions;
  private everAnswered = false;
  private closed = false;

  constructor(options: RequesterOptions) {
    this.options = options;
  }

  /**
   * The body of a successful answer.
   *
   * @throws ApiError, ConnectionError; PoimenError when no credentials can be got; the reason of the call's signal.
   */
  async send(call: Call): Promise<string> {
    const isWrite = call.method !== 'GET' && call.changesNothing !== true;
    for (let failures = 1; ; failures++) {
      const outcome = await this.tryOnce(call);
      if (outcome.kind === 'answer' && isSuccess(outcome.status)) return outcome.body;
      const pauseMs = pauseBeforeRetryMs(isWrite, failures, outcome, this.everAnswered);
      if (pauseMs === undefined || this.closed) {
        if (outcome.kind === 'late') throw this.lateError(call);
        if (outcome.kind === 'broken') throw connectionError(call, outcome.error);
        throw new ApiError(call.request, readStatus(outcome.status, outcome.body));
      }
      await delay(this.options.clock, pauseMs, call.signal);
    }
  }

  /**
   * A successful answer whose body is still to come, one try. The caller ends it by the deadline, which has no limit yet.
   *
   * @throws as `send` does.
   */
  async open(call: Call): Promise<OpenAnswer> {
    const deadline = new Deadline(call.signal);
    try {
      const response = await this.exchange(call, deadline);
      if (!isSuccess(response.status)) throw new ApiError(call.request, readStatus(response.status, await readBody(response)));
      deadline.extend(0);
      return { response, deadline };
    } catch (error) {
      deadline.abort();
      this.throwIfOver(call, deadline);
      throw error instanceof TransportError ? connectionError(call, error) : error;
    }
  }

  close(): void {
    this.closed = true;
    this.options.connection.close();
  }

  private async tryOnce(call: Call): Promise<Outcome> {
    const deadline = new Deadline(call.signal);
    try {
      const response = await this.exchange(call, deadline, this.options.acceptsGzip === true ? { 'accept-encoding': 'gzip' } : {});
      return { kind: 'answer', status: response.status, ...retryAfterOf(response), body: await readBody(response) };
    } catch (error) {
      if (call.signal?.aborted === true) throw call.signal.reason;
      if (deadline.expired) return { kind: 'late' };
      if (!(error instanceof TransportError)) throw error;
      // Only a server that is there refuses a stream or says goodbye, as Go's does to everything else beside its first 401.
      if (errorCode(error.cause)?.startsWith('ERR_HTTP2_') === true) this.everAnswered = true;
      return { kind: 'broken', sent: error.sent, error };
    } finally {
      deadline.clear();
    }
  }

  private async exchange(
    call: Call,
    deadline: Deadline,
    extraHeaders: Readonly<Record<string, string>> = {},
    renewed = false,
  ): Promise<TransportResponse> {
    const { connection, credentials, timeoutMs } = this.options;
    deadline.extend(0); // a person may be logging in
    const credential = await abortable(credentials.current(), deadline.signal);
    deadline.extend(timeoutMs);
    const { method, path, content } = call;
    const headers = {
      accept: 'application/json',
      'user-agent': 'poimen',
      ...extraHeaders,
      ...credential.headers,
      ...(content === undefined ? {} : { 'content-type': content.type }),
    };
    const body = content === undefined ? {} : { body: JSON.stringify(content.body) };
    const response = await connection.send({ method, path, headers, ...body, signal: deadline.signal }, credential.client);
    this.everAnswered = true;
    if (response.status !== 401 || renewed || !credentials.renew(credential)) return response;
    await readBody(response);
    return await this.exchange(call, deadline, extraHeaders, true);
  }

  private throwIfOver(call: Call, deadline: Deadline): void {
    if (call.signal?.aborted === true) throw call.signal.reason;
    if (deadline.expired) throw this.lateError(call);
  }

  private lateError(call: Call): ConnectionError {
    return new ConnectionError(call.request, `no answer within ${this.options.timeoutMs / 1_000} s`);
  }
}

export interface OpenAnswer {
  readonly response: TransportResponse;
  readonly deadline: Deadline;
}

type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterSeconds?: number; readonly body: string }
  | { readonly kind: 'broken'; readonly sent: boolean; readonly error: TransportError }
  | { readonly kind: 'late' };

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const readBody = async (response: TransportResponse): Promise<string> => {
  const cutShort = 'the answer was cut short';
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body) chunks.push(chunk);
  } catch (cause) {
    throw new TransportError(cutShort, true, cause);
  }
  if (!response.isWhole()) throw new TransportError(cutShort, true);
  const body = Buffer.concat(chunks);
  if (response.headers['content-encoding'] !== 'gzip') return body.toString();
  try {
    return (await import('node:zlib')).gunzipSync(body).toString();
  } catch (cause) {
    throw new TransportError(cutShort, true, cause);
  }
};

const retryAfterOf = ({ headers }: TransportResponse): { readonly retryAfterSeconds?: number } => {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {};
};

const connectionError = (call: Call, error: TransportError): ConnectionError =>
  new ConnectionError(call.request, error.message, error.cause ?? error);
