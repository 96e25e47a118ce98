import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createCertificate } from '../../cluster-client/live/certificate.ts';

/** One request on its way from poimen to a real API server. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Sends it on and gives the whole answer, without passing it back. */
  forward(): Promise<{ readonly code: number; readonly body: string }>;
  /** Sends it on and passes the answer back as it comes; `through` sees each line of a watch and says what becomes of it. */
  pass(through?: LineFilter): Promise<void>;
  /** Answers in the server's place. */
  answer(code: number, body: string, headers?: Readonly<Record<string, string>>): void;
  /** Passes back a first part of an answer and breaks the connection. */
  cut(part: string): void;
  /** Breaks poimen's connection, and with it whatever else is under way on it. */
  reset(): void;
}

/** What is passed back for one line of a watch; `end` ends the watch after it. */
export type LineFilter = (line: string) => Promise<{ readonly lines: readonly string[]; readonly end?: boolean }>;

export interface FaultProxy {
  readonly url: string;
  readonly certificateAuthority: string;
  close(): Promise<void>;
}

/** Stands between poimen and a real API server, speaks HTTP/2 over TLS to the one, and lets `handle` decide what becomes of each request. */
export const startFaultProxy = async (
  upstream: { readonly url: string; readonly certificateAuthority: string },
  handle: (exchange: Exchange) => Promise<void> | void,
): Promise<FaultProxy> => {
  const { certificate, key } = createCertificate();
  const agent = new Agent({ keepAlive: true, ca: upstream.certificateAuthority });
  const sockets = new Set<Socket>();
  const reset = (): void => sockets.forEach((socket) => socket.resetAndDestroy());

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on('error', () => undefined);
    incoming.on('error', () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const send = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const headers = Object.fromEntries(
          Object.entries(incoming.headers).filter(([name]) => !name.startsWith(':') && name !== 'host' && name !== 'content-length'),
        );
        const outgoing = httpsRequest(new URL(incoming.url ?? '', upstream.url), { method: incoming.method, headers, agent });
        outgoing.on('response', resolve).on('error', reject);
        response.on('close', () => outgoing.destroy());
        outgoing.end(body === '' ? undefined : body);
      });
    const exchange: Exchange = {
      method: incoming.method ?? '',
      url: new URL(incoming.url ?? '', upstream.url),
      body,
      headers: incoming.headers,
      async forward() {
        const answer = await send();
        return { code: answer.statusCode ?? 0, body: await textOf(answer) };
      },
      async pass(through) {
        const answer = await send();
        response.writeHead(answer.statusCode ?? 0, { 'content-type': answer.headers['content-type'] ?? 'application/json' });
        if (through === undefined) answer.on('error', () => response.end()).pipe(response);
        else await passLines(answer, response, through);
      },
      answer(code, text, headers = {}) {
        response.writeHead(code, { 'content-type': 'application/json', ...headers });
        response.end(text);
      },
      cut(part) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(part, () => setImmediate(reset));
      },
      reset,
    };
    await handle(exchange);
  };

  const server = createSecureServer({ cert: certificate, key }, ((incoming: IncomingMessage, response: ServerResponse) => {
    serve(incoming, response).catch(() => response.destroy());
  }) as unknown as Parameters<typeof createSecureServer>[1]); // the compatibility API
  server.on('sessionError', () => undefined);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificateAuthority: certificate,
    async close() {
      reset();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const textOf = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const passLines = async (answer: IncomingMessage, response: ServerResponse, through: LineFilter): Promise<void> => {
  let unfinished = '';
  response.flushHeaders();
  try {
    for await (const chunk of answer) {
      const lines = (unfinished + (chunk as Buffer).toString()).split('\n');
      unfinished = lines.pop() ?? '';
      for (const line of lines) {
        const { lines: passed, end } = await through(line);
        for (const each of passed) response.write(`${each}\n`);
        if (end === true) return void response.end();
      }
    }
  } finally {
    response.end();
  }
};
