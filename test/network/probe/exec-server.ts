import { spawn, type ChildProcess } from 'node:child_process';
import { createServer as createPlainServer, STATUS_CODES, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { createCertificate } from '../../cluster-client/live/certificate.ts';

export interface SeenExec {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly command: readonly string[];
  readonly container: string;
  readonly stdin: boolean;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the client's certificate. */
  readonly commonName: string | undefined;
}

/** What goes wrong with one session. */
export type ExecFault =
  /** Refused with this status; `reason` and `message` as in a Status. */
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string; readonly message: string; readonly retryAfter?: number }
  /** The connection is closed before an answer. */
  | { readonly kind: 'hungUp' }
  /** No answer, ever. */
  | { readonly kind: 'unanswered' }
  /** Opened; from then on not a word, not even to a ping. */
  | { readonly kind: 'silent' }
  /** Opened; gone with the first thing that is written to it. */
  | { readonly kind: 'breaksOff' }
  /** Opened; ends at once with this on the channel for errors. */
  | { readonly kind: 'ends'; readonly status: string };

export interface ExecServerOptions {
  readonly tls?: boolean;
  /** Of the API server's path, as behind a gateway. */
  readonly prefix?: string;
  readonly host?: '127.0.0.1' | '::1';
  /** Spoken, in the order of preference. */
  readonly protocols?: readonly string[];
  /** Of the processes. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ExecServer {
  readonly url: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly seen: readonly SeenExec[];
  /** Sessions that are open now. */
  readonly open: number;
  /** Written to clients that do not take it. */
  readonly undeliveredBytes: number;
  foresee(...faults: readonly ExecFault[]): void;
  /** Ends the sessions that are open, and their processes, as when a container goes. */
  breakOff(): void;
}

/**
 * What an API server and a kubelet are to a client that starts processes: the real subprotocol, with real processes on this machine in
 * place of those in a container.
 *
 * Source: Kubernetes, k8s.io/apimachinery/pkg/util/remotecommand; kubelet's and containerd's words for what cannot be started.
 */
export const startExecServer = async (options: ExecServerOptions = {}): Promise<ExecServer> => {
  const { tls = true, prefix = '', host = '127.0.0.1', protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'], env = {} } = options;
  const { certificate, key } = createCertificate(host === '::1' ? [...Array<number>(15).fill(0), 1] : [127, 0, 0, 1]);
  const seen: SeenExec[] = [];
  const faults: ExecFault[] = [];
  const sockets = new Set<Duplex>();
  const processes = new Set<ChildProcess>();
  const webSockets = new WebSocketServer({
    noServer: true,
    autoPong: false,
    handleProtocols: (offered) => protocols.find((protocol) => offered.has(protocol)) ?? false,
  });
  const server = tls ? createTlsServer({ cert: certificate, key, requestCert: true, rejectUnauthorized: false }) : createPlainServer();

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const exec = readExec(request, prefix);
    seen.push(exec);
    const fault = faults.shift();
    socket.on('error', () => undefined);
    if (fault?.kind === 'hungUp') return void socket.destroy();
    if (fault?.kind === 'unanswered') return;
    if (fault?.kind === 'refused') return refuse(socket, fault);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => undefined);
      if (fault?.kind === 'silent') return;
      webSocket.on('ping', (data) => webSocket.pong(data));
      if (fault?.kind === 'breaksOff') return void webSocket.once('message', () => webSocket.terminate());
      if (fault?.kind === 'ends') return end(webSocket, fault.status);
      const child = start(webSocket, exec, env);
      processes.add(child);
      child.once('close', () => processes.delete(child));
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  const breakOff = (): void => {
    for (const child of processes) child.kill('SIGKILL');
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(async () => {
    breakOff();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host === '::1' ? '[::1]' : host}:${port}${prefix}`,
    certificateAuthority: certificate,
    seen,
    get open() {
      return webSockets.clients.size;
    },
    get undeliveredBytes() {
      return [...webSockets.clients].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0);
    },
    foresee: (...coming) => void faults.push(...coming),
    breakOff,
  };
};

const readExec = (request: IncomingMessage, prefix: string): SeenExec => {
  const url = new URL(request.url ?? '', 'http://server');
  const { socket } = request;
  const subject = 'getPeerCertificate' in socket ? (socket as unknown as PeerSocket).getPeerCertificate()?.subject : undefined;
  return {
    method: request.method ?? '',
    path: url.pathname.slice(prefix.length),
    command: url.searchParams.getAll('command'),
    container: url.searchParams.get('container') ?? '',
    stdin: url.searchParams.get('stdin') === 'true',
    headers: request.headers,
    commonName: subject?.CN,
  };
};

interface PeerSocket {
  getPeerCertificate(): { readonly subject?: { readonly CN?: string } } | undefined;
}

const refuse = (socket: Duplex, { code, reason, message, retryAfter }: Extract<ExecFault, { kind: 'refused' }>): void => {
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message });
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};

const start = (
  webSocket: WebSocket,
  { command: [program = '', ...words], stdin }: SeenExec,
  env: Readonly<Record<string, string>>,
): ChildProcess => {
  const child = spawn(program, words, { env, stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'], detached: true });
  const send = (channel: number) => (data: Buffer) => webSocket.send(Buffer.concat([Uint8Array.of(channel), data]));
  for (const channel of [1, 2, 3]) send(channel)(Buffer.alloc(0));
  child.stdout?.on('data', send(1));
  child.stderr?.on('data', send(2));
  child.stdin?.on('error', () => undefined);
  child.once('error', (error) => end(webSocket, notStarted(program, error)));
  child.once('close', (code, signal) => {
    if (code !== null || signal !== null) end(webSocket, exited(code ?? 137));
  });
  webSocket.on('message', (data: RawData) => {
    const message = data as Buffer;
    if (message[0] === 0) child.stdin?.write(message.subarray(1));
  });
  webSocket.once('close', () => child.stdin?.end());
  return child;
};

const end = (webSocket: WebSocket, status: string): void => {
  webSocket.send(Buffer.concat([Uint8Array.of(3), Buffer.from(status)]));
  webSocket.close(1000);
};

const exited = (code: number): string =>
  JSON.stringify(
    code === 0
      ? { metadata: {}, status: 'Success' }
      : {
          metadata: {},
          status: 'Failure',
          message: `command terminated with non-zero exit code: exit status ${code}`,
          reason: 'NonZeroExitCode',
          details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
        },
  );

const notStarted = (program: string, error: Error & { code?: string }): string => {
  const why = error.code === 'ENOENT' ? 'executable file not found in $PATH' : error.message;
  const message = `Internal error occurred: error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: "${program}": ${why}: unknown`;
  return JSON.stringify({ metadata: {}, status: 'Failure', reason: 'InternalError', code: 500, message });
};
