import { BlockList, isIP } from 'node:net';
import type { Environment } from './kubeconfig-files.ts';

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
