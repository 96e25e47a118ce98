import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dump } from 'js-yaml';
import { ApiError } from '../cluster/api-error.ts';
import { negotiate } from './negotiate.ts';
import { badRequest } from './refusals.ts';
import type { ServerAnswer, ServerRequest, WholeAnswer } from './request.ts';
import { refusalAnswer } from './status-body.ts';

export interface ListenOptions {
  /** 0: one that is free. */
  readonly port: number;
  readonly answer: (request: ServerRequest, port: number) => Promise<ServerAnswer>;
  /** Something that is no refusal: a bug, or a state that could not be written. */
  readonly failed: (error: unknown) => void;
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Of a request. Source: apiserver, `MaxRequestBodyBytes`. */
const longestBodyBytes = 3 * 1024 * 1024;

/** HTTP/1.1 on 127.0.0.1. Rejects with Node's error when the port cannot be had. */
export const listen = async ({ port: wanted, answer, failed }: ListenOptions): Promise<Listening> => {
  const ending = new AbortController();
  let port = wanted;
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, ending.signal, (request) => answer(request, port)).catch((error: unknown) => {
      if (!outgoing.headersSent) writeWhole(outgoing, refusalAnswer(internalError(error)), undefined);
      else outgoing.destroy();
      failed(error);
    });
  });
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  port = portOf(server);
  return {
    port,
    close: async () => {
      ending.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      // Whoever has a request under way gets its answer; watches end with the signal.
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500).unref())]);
      server.closeAllConnections();
    },
  };
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const internalError = (error: unknown): ApiError =>
  new ApiError(
    { verb: 'get', resource: '' },
    { code: 500, reason: 'InternalError', message: `Internal error occurred: ${error instanceof Error ? error.message : String(error)}` },
  );

const handle = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ending: AbortSignal,
  answer: (request: ServerRequest) => Promise<ServerAnswer>,
): Promise<void> => {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, ending]);
  let reply: ServerAnswer;
  try {
    reply = await answer(await readRequest(incoming, signal));
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    reply = refusalAnswer(error);
  }
  if (reply.kind === 'watch') await writeEvents(outgoing, reply, signal);
  else writeWhole(outgoing, reply, incoming.headers.accept, incoming.method === 'HEAD');
};

const readRequest = async (incoming: IncomingMessage, signal: AbortSignal): Promise<ServerRequest> => {
  const [path = '', query = ''] = (incoming.url ?? '/').split(/\?(.*)/s);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > longestBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return {
    method: incoming.method ?? 'GET',
    path: decodePath(path),
    query: new URLSearchParams(query),
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString(),
    signal,
  };
};

const tooLarge = (): ApiError =>
  new ApiError(
    { verb: 'create', resource: '' },
    { code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: limit is ${longestBodyBytes}` },
  );

const decodePath = (path: string): readonly string[] => {
  try {
    return path
      .split('/')
      .slice(1)
      .filter((segment, index, all) => segment !== '' || index < all.length - 1)
      .map(decodeURIComponent);
  } catch {
    throw badRequest(`the path ${JSON.stringify(path)} cannot be read`);
  }
};

const writeWhole = (outgoing: ServerResponse, reply: WholeAnswer, accept: string | undefined, isHead = false): void => {
  const { type, content } = contentOf(reply, accept);
  outgoing.statusCode = reply.code;
  outgoing.setHeader('content-type', type);
  outgoing.setHeader('cache-control', 'no-cache, private');
  outgoing.setHeader('content-length', Buffer.byteLength(content));
  if (reply.kind === 'json' && reply.warnings !== undefined && reply.warnings.length > 0) {
    outgoing.setHeader(
      'warning',
      reply.warnings.map((warning) => `299 - ${JSON.stringify(warning)}`),
    );
  }
  outgoing.end(isHead ? undefined : content);
};

const contentOf = (reply: WholeAnswer, accept: string | undefined): { readonly type: string; readonly content: string } => {
  if (reply.kind === 'text') return { type: 'text/plain; charset=utf-8', content: reply.body };
  if (reply.type === undefined && wantsYaml(accept))
    return { type: 'application/yaml', content: dump(reply.body, { sortKeys: true, noRefs: true }) };
  return { type: reply.type ?? 'application/json', content: `${JSON.stringify(reply.body)}\n` };
};

const wantsYaml = (accept: string | undefined): boolean => {
  try {
    return negotiate(accept, ['Table', 'PartialObjectMetadata']).format === 'yaml';
  } catch {
    return false;
  }
};

/** One JSON document a line, each as soon as it is there, until the client goes, the time is up or the server ends. */
const writeEvents = async (
  outgoing: ServerResponse,
  { events, timeoutMs }: Extract<ServerAnswer, { kind: 'watch' }>,
  signal: AbortSignal,
): Promise<void> => {
  outgoing.statusCode = 200;
  outgoing.setHeader('content-type', 'application/json');
  outgoing.setHeader('cache-control', 'no-cache, private');
  outgoing.flushHeaders();
  const iterator = events[Symbol.asyncIterator]();
  const over = new Promise<'over'>((resolve) => {
    const timer = setTimeout(() => resolve('over'), timeoutMs);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve('over')), { once: true });
  });
  for (;;) {
    const next = await Promise.race([iterator.next(), over]);
    if (next === 'over' || next.done === true) break;
    if (!outgoing.write(`${JSON.stringify(next.value)}\n`)) await Promise.race([once(outgoing, 'drain'), over]);
  }
  outgoing.end();
};
