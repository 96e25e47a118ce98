import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { createCertificate } from './certificate.ts';

export type Protocol = 'HTTP/2' | 'HTTP/1.1' | 'plain HTTP';

export interface SeenRequest {
  /** `GET /api/v1/pods?limit=500` */
  readonly line: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** How one request is answered, or not. */
export type Answer = (response: ServerResponse, resetConnections: () => void) => void;

export interface FaultyServer {
  readonly url: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly seen: readonly SeenRequest[];
  /** How the coming requests are answered, in order. One that is not foreseen gets a 418. */
  foresee(...answers: readonly Answer[]): void;
}

export type LoopbackAddress = '127.0.0.1' | '::1';

/** A real HTTP server on loopback that goes wrong where it is told to. */
export const startFaultyServer = async (protocol: Protocol, address: LoopbackAddress = '127.0.0.1'): Promise<FaultyServer> => {
  const { certificate, key } = createCertificate(address === '::1' ? [...Buffer.alloc(15), 1] : [127, 0, 0, 1]);
  const seen: SeenRequest[] = [];
  const answers: Answer[] = [];
  const sockets = new Set<Socket>();
  const resetConnections = (): void => sockets.forEach((socket) => socket.resetAndDestroy());

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: Buffer.concat(chunks).toString() });
      (answers.shift() ?? status(418, 'Unforeseen'))(response, resetConnections);
    });
  };
  const credentials = { cert: certificate, key };
  const server =
    protocol === 'plain HTTP'
      ? createPlainServer(serve)
      : protocol === 'HTTP/1.1'
        ? createHttpsServer(credentials, serve)
        : createSecureServer(credentials, serve as unknown as Parameters<typeof createSecureServer>[1]); // the compatibility API
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(async () => {
    resetConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${protocol === 'plain HTTP' ? 'http' : 'https'}://${address === '::1' ? '[::1]' : address}:${port}`,
    certificateAuthority: certificate,
    seen,
    foresee: (...coming) => void answers.push(...coming),
  };
};

export const json =
  (code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Compressed, as the API server does from 128 KiB on; `bytes` cuts it short. */
export const gzipped =
  (body: unknown, bytes?: number): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(body)).subarray(0, bytes));
  };

export const status = (code: number, reason: string, message = `${reason} it is`, headers: Readonly<Record<string, string>> = {}): Answer =>
  json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, headers);

export const text =
  (code: number, body: string): Answer =>
  (response) => {
    response.writeHead(code, { 'content-type': 'text/html' });
    response.end(body);
  };

/** Sends these chunks, each on its own, and then ends, hangs, or breaks the connection. */
export const stream =
  (chunks: readonly (string | Uint8Array)[], end: 'end' | 'hang' | 'reset'): Answer =>
  (response, resetConnections) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json' });
    const [chunk, ...rest] = chunks;
    const next = (): void => {
      if (rest.length > 0) stream(rest, end)(response, resetConnections);
      else if (end === 'end') response.end();
      else if (end === 'reset') resetConnections();
    };
    // the next one only when this one is on its way, or they would arrive as one
    response.write(chunk, () => setImmediate(next));
  };

export const hang: Answer = () => undefined;

export const reset: Answer = (_, resetConnections) => resetConnections();
