import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { readChunks } from './body.ts';
import { errorCode, TransportError, type Transport, type TransportRequest, type TransportResponse } from './transport.ts';

/**
 * HTTP/1.1, for plain HTTP (`kubectl proxy`) and for servers and load balancers that do not speak HTTP/2: each request that is under way
 * and each watch has a connection of its own.
 */
export const openHttp1 = (origin: URL, connectTls: () => Promise<Duplex>): Transport => {
  const isTls = origin.protocol === 'https:';
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  if (isTls) {
    agent.createConnection = (_options, connected) => {
      connectTls().then(
        (socket) => connected?.(null, socket),
        (error: unknown) => connected?.(error as Error, undefined as never),
      );
      return undefined;
    };
  }
  return {
    send: (request) => send(isTls ? httpsRequest : httpRequest, origin, agent, request),
    close: () => agent.destroy(),
  };
};

const send = (start: typeof httpRequest, origin: URL, agent: HttpAgent, request: TransportRequest): Promise<TransportResponse> =>
  new Promise((resolve, reject) => {
    const { method, path, headers, body, signal } = request;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = start(origin, {
      method,
      path,
      headers: { ...headers, ...length },
      agent,
    });
    outgoing.once('response', (response: IncomingMessage) => {
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: readChunks(response),
        isWhole: () => response.complete,
      });
    });
    outgoing.on('error', (cause) => {
      reject(cause instanceof TransportError ? cause : new TransportError(cause.message, !isBeforeSending(cause), cause));
    });
    // Not by the request's own signal: its error comes out of the socket, and kills the process when the socket is on its way back to the agent.
    const onAbort = (): void => void outgoing.destroy();
    signal.addEventListener('abort', onAbort, { once: true });
    outgoing.once('close', () => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
    else outgoing.end(body);
  });

const isBeforeSending = (error: Error): boolean => {
  const syscall = 'syscall' in error ? error.syscall : undefined;
  return syscall === 'connect' || syscall === 'getaddrinfo' || errorCode(error) === 'ECONNREFUSED';
};
