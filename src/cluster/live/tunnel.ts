import { request } from 'node:http';
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { openProxy, proxyAccount, proxyError } from './open-proxy.ts';

/**
 * Asks a proxy for a tunnel to the server. Rejects with `TransportError`: nothing has been sent to the server.
 *
 * Source: RFC 9110, section 9.3.6 (CONNECT); RFC 1928 (SOCKS5).
 */
export const openTunnel = async (proxy: URL, host: string, port: number, timeoutMs: number): Promise<Socket> => {
  const socket = await openProxy(proxy, timeoutMs);
  if (!proxy.protocol.startsWith('socks5')) return await connectThrough(socket, proxy, host, port, timeoutMs);
  return await (await import('./socks5.ts')).openSocks5(socket, proxy, host, port, timeoutMs);
};

const connectThrough = (connection: Socket, proxy: URL, host: string, port: number, timeoutMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    const account = proxyAccount(proxy);
    const outgoing = request({
      createConnection: () => connection,
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(account === undefined
          ? {}
          : { 'proxy-authorization': `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}` }),
      },
      timeout: timeoutMs,
    });
    const refuse = (status: number | undefined, words: string | undefined): void => {
      connection.destroy();
      reject(proxyError(proxy, `${status} ${words}${status === 407 ? loginHint(account !== undefined) : ''}`));
    };
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)));
    outgoing.once('error', (cause) => reject(proxyError(proxy, cause.message, cause)));
    outgoing.once('connect', (response, socket) => {
      socket.setTimeout(0);
      if (response.statusCode === 200) resolve(socket);
      else refuse(response.statusCode, response.statusMessage);
    });
    outgoing.end();
  });

const loginHint = (gaveAccount: boolean): string =>
  gaveAccount ? ' (it does not accept the user and password in its URL)' : ' (put them into its URL: http://USER:PASSWORD@HOST:PORT)';
