import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { readChunks } from './body.ts';
import { TransportError, type Transport, type TransportRequest, type TransportResponse } from './transport.ts';

/**
 * HTTP/2: all requests and watches share one connection, which the watches keep warm, so that a write after a wait of minutes
 * pays no handshake. A connection that dies without a word (laptop sleep, lost route) is noticed after two ping intervals at the most.
 *
 * `ended` is called when no further request can be sent.
 *
 * Source: RFC 9113; client-go pings in the same way.
 */
export const openHttp2 = (origin: URL, socket: TLSSocket, pingIntervalMs: number, ended: () => void): Transport => {
  const session = connect(origin, { createConnection: () => socket });
  let answered = true;
  const pinging = setInterval(() => {
    if (!answered) session.destroy(new Error(`the server has not answered a ping for ${pingIntervalMs / 1000} s`));
    answered = false;
    if (!session.destroyed) session.ping(() => (answered = true));
  }, pingIntervalMs).unref();
  session.once('goaway', ended); // what runs may finish
  session.once('close', () => {
    clearInterval(pinging);
    ended();
  });
  session.on('error', () => undefined); // each stream reports it
  return {
    send: (request) => send(session, request, ended),
    close: () => session.destroy(),
  };
};

const send = (session: ClientHttp2Session, request: TransportRequest, ended: () => void): Promise<TransportResponse> =>
  new Promise((resolve, reject) => {
    const stream = openStream(session, request, ended);
    const fail = (cause?: unknown): void =>
      reject(new TransportError(causeWords(cause), stream.rstCode !== constants.NGHTTP2_REFUSED_STREAM, cause));
    stream.once('response', (headers) =>
      resolve({
        status: Number(headers[':status']),
        headers,
        body: readChunks(stream),
        isWhole: () => stream.rstCode === constants.NGHTTP2_NO_ERROR,
      }),
    );
    stream.on('error', fail);
    stream.once('close', () => fail());
    if (request.body !== undefined) stream.end(request.body);
  });

const openStream = (
  session: ClientHttp2Session,
  { method, path, headers, body, signal }: TransportRequest,
  ended: () => void,
): ClientHttp2Stream => {
  try {
    return session.request({ ':method': method, ':path': path, ...headers }, { signal, endStream: body === undefined });
  } catch (cause) {
    if (session.destroyed) ended(); // its `close` may take as long as its last stream
    throw new TransportError(causeWords(cause), false, cause);
  }
};

const causeWords = (cause: unknown): string => (cause instanceof Error ? cause.message : 'the connection was closed before an answer came');
