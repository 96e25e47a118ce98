import { request } from 'node:http';
import type { Socket } from 'node:net';
import { TransportError } from './transport.ts';

/** Asks an HTTP proxy for a tunnel to the server. Source: RFC 9110, section 9.3.6 (CONNECT). */
export const openTunnel = (proxy: URL, host: string, port: number, timeoutMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const target = `${host}:${port}`;
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    const headers = {
      host: target,
      ...(proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
    };
    const outgoing = request({
      host: proxy.hostname,
      port: proxy.port === '' ? 80 : Number(proxy.port),
      method: 'CONNECT',
      path: target,
      headers,
      timeout: timeoutMs,
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    outgoing.once('error', (cause) => reject(new TransportError(`proxy ${proxy.host}: ${cause.message}`, false, cause)));
    outgoing.once('connect', (response, socket) => {
      socket.setTimeout(0);
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new TransportError(`proxy ${proxy.host}: ${response.statusCode} ${response.statusMessage}`, false));
    });
    outgoing.end();
  });
