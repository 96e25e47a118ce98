import { BlockList, isIP } from 'node:net';
import type { Environment } from './kubeconfig-files.ts';
import { bareHost, isLoopback } from './loopback.ts';

/** Those that kubectl can use. Source: Kubernetes reference, "kubeconfig (v1)", Cluster, `proxy-url`; socks5h: Go's net/http. */
export const isProxyProtocol = (protocol: string): boolean => ['http:', 'https:', 'socks5:', 'socks5h:'].includes(protocol);

/**
 * The proxy that HTTPS_PROXY names, unless NO_PROXY excepts the server: `*`; `example.com`, which is the name and all below it;
 * `.example.com`, all below it alone; addresses; blocks (`10.0.0.0/8`); names and addresses with `:PORT`, for that port alone. Servers
 * on this machine and plain HTTP are never behind it. `null` where the variable holds no URL.
 *
 * Source: Go's golang.org/x/net/http/httpproxy, which kubectl follows.
 */
export const proxyFromEnvironment = (server: URL, env: Environment): URL | null | undefined => {
  const value = env['HTTPS_PROXY'] || env['https_proxy'];
  if (!value || server.protocol !== 'https:' || isLoopback(server.hostname)) return undefined;
  const exceptions = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((entry) => entry.trim().toLowerCase());
  if (exceptions.some((exception) => isExcepted(bareHost(server.hostname), server.port || '443', exception))) return undefined;
  return URL.parse(/^(https?|socks5h?):\/\//.test(value) ? value : `http://${value}`);
};

const isExcepted = (host: string, port: string, exception: string): boolean => {
  if (exception === '') return false;
  if (exception === '*') return true;
  const [block = '', prefix] = exception.split('/');
  if (prefix !== undefined && isIP(block) !== 0) return isIP(block) === isIP(host) && isInBlock(host, block, Number(prefix));
  const { host: name, port: only } = splitPort(exception);
  if (only !== undefined && only !== port) return false;
  if (isIP(host) !== 0 || isIP(name) !== 0) return host === name;
  const below = name.startsWith('*.') ? name.slice(1) : name;
  return below.startsWith('.') ? host.endsWith(below) : host === below || host.endsWith(`.${below}`);
};

const isInBlock = (host: string, block: string, prefix: number): boolean => {
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > (family === 'ipv6' ? 128 : 32)) return false;
  const blocks = new BlockList();
  blocks.addSubnet(block, prefix, family);
  return blocks.check(host, family);
};

/** `name:443`, `10.0.0.1:443`, `[fd00::1]:443`, `fd00::1`. */
const splitPort = (entry: string): { readonly host: string; readonly port: string | undefined } => {
  const match = isIP(entry) === 6 ? null : /^(?<host>.*):(?<port>\d+)$/.exec(entry);
  return { host: bareHost(match?.groups?.['host'] ?? entry), port: match?.groups?.['port'] };
};
