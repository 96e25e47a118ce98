import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { delay, type Clock } from '../../clock/clock.ts';
import { ApiError, ConnectionError, type ApiRequest } from '../api-error.ts';
import type { ExecRequest, ExecSession } from '../exec.ts';
import { abortable } from './abortable.ts';
import type { Credential, Credentials } from './credentials.ts';
import { Deadline } from './deadline.ts';
import { dial } from './dial.ts';
import { dialPlain } from './dial-plain.ts';
import type { Endpoint } from './endpoint.ts';
import { WebSocketExecSession } from './exec-session.ts';
import { readStatus } from './responses.ts';
import { pauseBeforeRetryMs } from './retry.ts';
import { TransportError } from './transport.ts';

/** In the order of preference. Of v5 nothing but its name is needed, and servers that proxy it do so with fewer conversions. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

const longestAnswerBytes = 64 * 1024;
const longestMessageBytes = 4 * 1024 * 1024;

export interface ExecOptions {
  readonly endpoint: Endpoint;
  readonly credentials: Credentials;
  /** For the pauses between two tries. */
  readonly clock: Clock;
  /** Until the session is open. 0 is no limit. */
  readonly timeoutMs: number;
  readonly pingIntervalMs?: number;
}

/**
 * Starts processes in containers: a WebSocket each, over a connection of its own, because API servers do not take WebSockets over
 * HTTP/2. With the same credentials, certificates, proxy and impersonation as every other request.
 *
 * Source: RFC 6455; Kubernetes, KEP-4006 (transition from SPDY to WebSockets).
 */
export class Exec {
  private readonly options: ExecOptions;
  private readonly open = new Set<ExecSession>();
  private everAnswered = false;

  constructor(options: ExecOptions) {
    this.options = options;
  }

  /** @throws ApiError, ConnectionError; PoimenError when no credentials can be got; the reason of the request's signal. */
  async start(exec: ExecRequest): Promise<ExecSession> {
    const request: ApiRequest = { verb: 'create', resource: 'pods/exec', namespace: exec.namespace, name: exec.pod };
    for (let failures = 1; ; failures++) {
      const outcome = await this.tryOnce(exec, request);
      if (outcome.kind === 'open') return this.session(outcome.socket, request, exec.signal);
      if (outcome.kind === 'answer') this.everAnswered = true;
      // As for a write: a process that may have been started is not started again.
      const pauseMs = pauseBeforeRetryMs(true, failures, outcome, this.everAnswered);
      if (pauseMs === undefined) {
        throw outcome.kind === 'broken'
          ? new ConnectionError(request, outcome.error.message, outcome.error.cause ?? outcome.error)
          : new ApiError(request, readStatus(outcome.status, outcome.body));
      }
      await delay(this.options.clock, pauseMs, exec.signal);
    }
  }

  close(): void {
    for (const session of this.open) session.close();
  }

  private async tryOnce(exec: ExecRequest, request: ApiRequest): Promise<Outcome> {
    const deadline = new Deadline(exec.signal);
    try {
      return await this.connect(exec, deadline);
    } catch (error) {
      if (exec.signal?.aborted === true) throw exec.signal.reason;
      if (deadline.expired) throw new ConnectionError(request, `no answer within ${this.options.timeoutMs / 1000} s`);
      if (!(error instanceof TransportError)) throw error;
      return { kind: 'broken', sent: error.sent, error };
    } finally {
      deadline.clear();
    }
  }

  private async connect(exec: ExecRequest, deadline: Deadline, renewed = false): Promise<Opened | Refused> {
    const { endpoint, credentials, timeoutMs } = this.options;
    deadline.extend(0); // a person may be logging in
    const credential = await abortable(credentials.current(), deadline.signal);
    deadline.extend(timeoutMs);
    const dialling = endpoint.server.protocol === 'http:' ? dialPlain(endpoint.server) : dial(endpoint, credential.client, ['http/1.1']);
    const stream = await abortable(dialling, deadline.signal).catch((error: unknown) => {
      dialling.then(
        (late) => late.destroy(),
        () => undefined,
      );
      throw error;
    });
    const outcome = await upgrade(urlOf(endpoint.server, exec), stream, credential, deadline.signal);
    if (outcome.kind === 'answer' && outcome.status === 401 && !renewed && credentials.renew(credential))
      return await this.connect(exec, deadline, true);
    return outcome;
  }

  private session(socket: WebSocket, request: ApiRequest, signal: AbortSignal | undefined): ExecSession {
    this.everAnswered = true;
    const { pingIntervalMs = 10_000 } = this.options;
    const session = new WebSocketExecSession({ socket, request, pingIntervalMs, signal, closed: (gone) => this.open.delete(gone) });
    this.open.add(session);
    return session;
  }
}

interface Opened {
  readonly kind: 'open';
  readonly socket: WebSocket;
}

interface Refused {
  readonly kind: 'answer';
  readonly status: number;
  readonly retryAfterSeconds?: number;
  readonly body: string;
}

type Outcome = Opened | Refused | { readonly kind: 'broken'; readonly sent: boolean; readonly error: TransportError };

/** Source: Kubernetes API reference, Pod v1 core, "connect GET requests to exec of Pod"; PodExecOptions. */
const urlOf = (server: URL, { namespace, pod, container, command, stdin = false }: ExecRequest): URL => {
  const url = new URL(server);
  url.protocol = server.protocol === 'http:' ? 'ws:' : 'wss:';
  url.pathname = `${server.pathname.replace(/\/$/, '')}/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec`;
  url.search = new URLSearchParams([
    ...command.map((word): [string, string] => ['command', word]),
    ['container', container],
    ['stdin', String(stdin)],
    ['stdout', 'true'],
    ['stderr', 'true'],
    ['tty', 'false'],
  ]).toString();
  return url;
};

const upgrade = (url: URL, stream: Duplex, { headers }: Credential, signal: AbortSignal): Promise<Opened | Refused> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, {
      createConnection: () => stream,
      headers: { 'user-agent': 'poimen', ...headers } as Record<string, string>, // Node takes lists, the type does not say so
      perMessageDeflate: false,
      maxPayload: longestMessageBytes,
    });
    const onAbort = (): void => socket.terminate();
    signal.addEventListener('abort', onAbort, { once: true });
    const settled = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', fail);
    };
    const fail = (cause: Error): void => {
      settled();
      socket.on('error', () => undefined); // what comes after the first says nothing new
      reject(new TransportError(cause.message, true, cause));
    };
    socket.on('error', fail);
    socket.once('open', () => {
      settled();
      socket.pause(); // until somebody listens
      resolve({ kind: 'open', socket });
    });
    socket.once('unexpected-response', (_, response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => {
        settled();
        socket.on('error', () => undefined);
        socket.terminate();
        stream.destroy();
        const seconds = Number(response.headers['retry-after']);
        resolve({
          kind: 'answer',
          status: response.statusCode ?? 0,
          ...(Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}),
          body: Buffer.concat(chunks).toString(),
        });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > longestAnswerBytes) finish();
      });
      response.once('end', finish).once('error', finish);
    });
    if (signal.aborted) onAbort();
  });
