import request from 'undici/lib/api/api-request.js';
import type { Clock } from '../../clock/clock.ts';
import { RegistryError, isRegistryError } from '../registry-error.ts';
import { remedies } from '../remedies.ts';
import { urlWithoutSecrets, type Purpose, type RequestListener } from '../trace.ts';
import { connectionTrouble, isBrokenConnection } from './connection-trouble.ts';
import type { Connections } from './connections.ts';
import { patiently, type Patience } from './patience.ts';

export interface WireRequest {
  readonly purpose: Purpose;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For messages: `manifest sm70 of llm/candle`. */
  readonly what: string;
  /** No private address may be connected to. */
  readonly publicOnly?: boolean;
  readonly signal: AbortSignal | undefined;
}

export interface WireAnswer {
  readonly url: URL;
  readonly status: number;
  header(name: string): string | undefined;
  /** The body, once. Ends with an error where the server is too slow, or goes away. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
}

export interface ExchangeSettings {
  readonly clock: Clock;
  readonly connections: Connections;
  /** From the request to the answer's header, the connection included. */
  readonly answerMs: number;
  readonly patience: Patience;
  readonly trace: RequestListener | undefined;
}

/** One request, one answer. @throws RegistryError where there is none. */
export type Exchange = (request: WireRequest) => Promise<WireAnswer>;

export const createExchange =
  ({ clock, connections, answerMs, patience, trace }: ExchangeSettings): Exchange =>
  async (asked) => {
    const { url, what, signal } = asked;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const onAbort = (): void => {
      controller.abort(signal?.reason);
      over('it was not waited for');
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const seen = { status: undefined as number | undefined, bodyBytes: 0, headerBytes: 0 };
    let isOver = false;
    const over = (problem?: string): void => {
      if (isOver) return;
      isOver = true;
      signal?.removeEventListener('abort', onAbort);
      const { purpose, method } = asked;
      trace?.({ purpose, method, url: urlWithoutSecrets(url), ...seen, ...(problem === undefined ? {} : { problem }) });
    };
    const explain = (cause: unknown): unknown => {
      const reason: unknown = controller.signal.aborted ? controller.signal.reason : cause;
      const isExplained = isRegistryError(reason) || (signal?.aborted === true && reason === signal.reason);
      const error = isExplained ? reason : connectionTrouble(reason, url, what);
      over(error instanceof Error ? error.message : String(error));
      return error;
    };

    const cancel = clock.after(answerMs, () => controller.abort(tooSlow(url, what, `no answer within ${answerMs / 1_000} s`)));
    try {
      const answer = await request.call(connections.to(url, asked.publicOnly === true), {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: asked.method,
        headers: { ...asked.headers, 'accept-encoding': 'identity', 'user-agent': 'poimen' },
        ...(asked.body === undefined ? {} : { body: asked.body }),
        signal: controller.signal,
      });
      seen.status = answer.statusCode;
      seen.headerBytes = headerBytes(answer.headers);
      const late = (): void => controller.abort(tooSlow(url, what, slowness(patience)));
      return {
        url,
        status: answer.statusCode,
        header(name) {
          const value = answer.headers[name];
          return typeof value === 'object' ? value.join(', ') : value;
        },
        async *chunks() {
          try {
            for await (const chunk of patiently(answer.body as AsyncIterable<Uint8Array>, clock, patience, late)) {
              seen.bodyBytes += chunk.length;
              yield chunk;
            }
            over();
          } catch (cause) {
            throw explain(cause);
          } finally {
            over('the rest was not read');
          }
        },
      };
    } catch (cause) {
      throw explain(cause);
    } finally {
      cancel();
    }
  };

/** Whether asking once more may bring another answer: the server was reached, and the connection broke. */
export const mayBeAskedAgain = (error: unknown): boolean =>
  isRegistryError(error, 'RegistryUnreachable') && isBrokenConnection(error.cause);

const slowness = ({ graceMs, minBytesPerSecond }: Patience): string =>
  `less than ${minBytesPerSecond} bytes a second, for ${graceMs / 1_000} s`;

const tooSlow = (url: URL, what: string, how: string): RegistryError =>
  new RegistryError({
    code: 'RegistryTimeout',
    summary: `${url.host} is too slow: ${what} was given up`,
    detail: `${urlWithoutSecrets(url)}\n${how}`,
    nextSteps: [remedies.askAgain],
  });

/** Names, values, ": " and the line's end. */
const headerBytes = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): number =>
  Object.entries(headers)
    .flatMap(([name, value]) =>
      value === undefined ? [] : typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each]),
    )
    .reduce((sum, [name = '', value = '']) => sum + name.length + value.length + 4, 0);
