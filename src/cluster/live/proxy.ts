import { request } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Environment } from './kubeconfig-files.ts';
import { TransportError } from './transport.ts';

/** Asks an HTTP proxy for a tunnel to the server. Source: RFC 9110, section 9.3.6 (CONNECT). */
export const openTunnel = (proxy: URL, host: string, port: number, timeoutMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const target = `${host}:${port}`;
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    const headers = { host: target, ...(proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }) };
    const outgoing = request({ host: proxy.hostname, port: proxy.port === '' ? 80 : Number(proxy.port), method: 'CONNECT', path: target, headers, timeout: timeoutMs });
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

/**
 * The proxy that HTTPS_PROXY names, unless NO_PROXY excepts the server: `*`, host names, domains (`.example.com`), addresses and
 * blocks (`10.0.0.0/8`). Servers on this machine and plain HTTP are never behind it.
 *
 * Source: Go's golang.org/x/net/http/httpproxy, which kubectl follows.
 */
export const proxyFromEnvironment = (server: URL, env: Environment): URL | null | undefined => {
  const value = env['HTTPS_PROXY'] || env['https_proxy'];
  const host = server.hostname.replace(/^\[|\]$/g, '');
  if (!value || server.protocol !== 'https:' || host === 'localhost' || host === '::1' || host.startsWith('127.')) return undefined;
  const exceptions = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((entry) => entry.trim().toLowerCase());
  if (exceptions.some((exception) => isExcepted(host, exception))) return undefined;
  return URL.parse(value.includes('://') ? value : `http://${value}`);
};

const isExcepted = (host: string, exception: string): boolean => {
  if (exception === '') return false;
  if (exception === '*') return true;
  const [block = '', prefix] = exception.split('/');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (prefix !== undefined && isIP(block) !== 0 && isIP(block) === isIP(host)) {
    const blocks = new BlockList();
    blocks.addSubnet(block, Number(prefix), family);
    return blocks.check(host, family);
  }
  const domain = exception.replace(/^\*?\./, '');
  return host === domain || host.endsWith(`.${domain}`);
};
