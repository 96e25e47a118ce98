import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import { bareHost } from './loopback.ts';
import type { ClientCertificate, Endpoint } from './endpoint.ts';
import { TransportError } from './transport.ts';

const connectTimeoutMs = 10_000;

/** Opens one TLS connection, offering HTTP/2 and HTTP/1.1 where nothing else is asked for. Rejects with `TransportError`: nothing has been sent. */
export const dial = async (
  endpoint: Endpoint,
  client: ClientCertificate | undefined,
  protocols: readonly string[] = ['h2', 'http/1.1'],
): Promise<TLSSocket> => {
  const { server, proxy } = endpoint;
  const host = bareHost(server.hostname);
  const port = Number(server.port === '' ? 443 : server.port);
  const tunnel = proxy === undefined ? undefined : await (await import('./tunnel.ts')).openTunnel(proxy, host, port, connectTimeoutMs);
  return await handshake(endpoint, client, {
    host,
    port,
    ALPNProtocols: [...protocols],
    ...(tunnel === undefined ? {} : { socket: tunnel }),
  });
};

const handshake = (
  endpoint: Endpoint,
  client: ClientCertificate | undefined,
  to: { readonly host: string; readonly port: number; readonly ALPNProtocols: string[]; readonly socket?: Socket },
): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const name = endpoint.tlsServerName ?? to.host;
    const socket = connect({
      ...to,
      rejectUnauthorized: !endpoint.insecureSkipTlsVerify,
      // an address is not announced (RFC 6066, section 3), and compared all the same
      ...(isIP(name) === 0 ? { servername: name } : { checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate) }),
      ...(endpoint.certificateAuthority === undefined ? {} : { ca: endpoint.certificateAuthority }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    });
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${connectTimeoutMs / 1000} s`)), connectTimeoutMs);
    const fail = (cause?: Error): void => {
      clearTimeout(timer);
      reject(new TransportError(cause?.message ?? 'the connection was closed during the TLS handshake', false, cause));
    };
    socket.once('error', fail);
    socket.once('close', () => fail());
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      socket.removeAllListeners('close');
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
