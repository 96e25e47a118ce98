import type { RawData, WebSocket } from 'ws';
import type { ApiRequest } from '../api-error.ts';
import { ConnectionError } from '../api-error.ts';
import type { ExecEvent, ExecSession } from '../exec.ts';
import { readExecStatus } from './exec-status.ts';

/** First byte of each message. Source: Kubernetes, k8s.io/apimachinery/pkg/util/remotecommand, `StreamStdIn` and the others. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3 } as const;

/** As long as the server may take to say goodbye. */
const farewellMs = 200;

/** More than this of what nobody has read yet stops the reading from the network. */
const unreadLimitBytes = 1024 * 1024;

export interface ExecSessionOptions {
  /** Open, and paused. */
  readonly socket: WebSocket;
  /** For errors. */
  readonly request: ApiRequest;
  readonly pingIntervalMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called when the connection is gone. */
  closed(session: ExecSession): void;
}

/** The streams of one process, over a WebSocket that is open. */
export class WebSocketExecSession implements ExecSession {
  readonly events: AsyncIterable<ExecEvent>;
  private readonly socket: WebSocket;
  private readonly request: ApiRequest;
  private readonly unread: ExecEvent[] = [];
  private unreadBytes = 0;
  private ended = false;
  private failure: ConnectionError | undefined;
  private wake = (): void => undefined;

  constructor({ socket, request, pingIntervalMs, signal, closed }: ExecSessionOptions) {
    this.socket = socket;
    this.request = request;
    this.events = this.read();
    const stopPinging = this.keepAlive(pingIntervalMs);
    const onAbort = (): void => this.close();
    socket.on('message', (data) => this.receive(data));
    socket.on('error', (cause) => this.fail(cause.message, cause));
    socket.once('close', () => {
      stopPinging();
      signal?.removeEventListener('abort', onAbort);
      this.fail('the session broke off');
      closed(this);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    socket.resume();
  }

  write(text: string): void {
    if (this.ended || this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(Buffer.concat([Uint8Array.of(channels.stdin), Buffer.from(text)]), () => undefined);
  }

  close(): void {
    this.end();
    this.socket.close(1000);
    setTimeout(() => this.socket.terminate(), farewellMs).unref();
  }

  private async *read(): AsyncGenerator<ExecEvent, void> {
    for (;;) {
      const event = this.unread.shift();
      if (event !== undefined) {
        if ('data' in event) this.unreadBytes -= event.data.length;
        if (this.socket.isPaused && this.unreadBytes < unreadLimitBytes) this.socket.resume();
        yield event;
      } else if (this.failure !== undefined) throw this.failure;
      else if (this.ended) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private receive(data: RawData): void {
    if (this.ended) return;
    const message = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    const payload = message.subarray(1);
    if (payload.length === 0) return; // servers open each channel with an empty message
    const channel = message[0];
    if (channel === channels.stdout) this.push({ type: 'stdout', data: payload });
    if (channel === channels.stderr) this.push({ type: 'stderr', data: payload });
    if (channel !== channels.error) return;
    this.push(readExecStatus(payload.toString()));
    this.close();
  }

  private push(event: ExecEvent): void {
    this.unread.push(event);
    if ('data' in event) this.unreadBytes += event.data.length;
    if (this.unreadBytes >= unreadLimitBytes) this.socket.pause();
    this.wake();
  }

  private end(): void {
    this.ended = true;
    this.wake();
  }

  private fail(message: string, cause?: Error): void {
    if (!this.ended) this.failure = new ConnectionError(this.request, message, cause);
    this.end();
  }

  /** Finds out that nobody is there any more, and keeps what lies between from forgetting an idle connection. Returns what stops it. */
  private keepAlive(intervalMs: number): () => void {
    let alive = true;
    const hear = (): void => {
      alive = true;
    };
    this.socket.on('pong', hear).on('message', hear);
    const pinging = setInterval(() => {
      if (!alive) {
        this.fail(`the server has not answered a ping for ${intervalMs / 1000} s`);
        return this.socket.terminate();
      }
      alive = false;
      this.socket.ping();
    }, intervalMs).unref();
    return () => clearInterval(pinging);
  }
}
