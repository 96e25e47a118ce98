import { connect, type Socket } from 'node:net';
import { TransportError } from './transport.ts';

const connectTimeoutMs = 10_000;

/** Opens one connection without TLS, as to `kubectl proxy`. Rejects with `TransportError`: nothing has been sent. */
export const dialPlain = (server: URL): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: server.hostname.replace(/^\[|\]$/g, ''), port: Number(server.port === '' ? 80 : server.port) });
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${connectTimeoutMs / 1000} s`)), connectTimeoutMs);
    const fail = (cause: Error): void => {
      clearTimeout(timer);
      reject(new TransportError(cause.message, false, cause));
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
