import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bareHost } from './loopback.ts';
import { TransportError } from './transport.ts';

/** A connection to the proxy itself, over TLS where its URL says so. Rejects with `TransportError`: nothing has been sent. */
export const openProxy = (proxy: URL, timeoutMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const host = bareHost(proxy.hostname);
    const isTls = proxy.protocol === 'https:';
    const port = proxy.port === '' ? (defaultPorts[proxy.protocol] ?? 1080) : Number(proxy.port);
    const socket: Socket = isTls
      ? connectTls({ host, port, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 ? { servername: host } : {}) })
      : connect({ host, port });
    const fail = (cause: Error): void => {
      socket.destroy();
      reject(proxyError(proxy, cause.message, cause));
    };
    socket.setTimeout(timeoutMs, () => fail(new Error(`no connection within ${timeoutMs / 1_000} s`)));
    socket.once('error', fail);
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0);
      socket.off('error', fail);
      resolve(socket);
    });
  });

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export const proxyError = (proxy: URL, message: string, cause?: Error): TransportError =>
  new TransportError(`proxy ${proxy.host}: ${message}`, false, cause);

/** The user and password in a proxy's URL. */
export const proxyAccount = (proxy: URL): { readonly user: string; readonly password: string } | undefined =>
  proxy.username === '' ? undefined : { user: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
