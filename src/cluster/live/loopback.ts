import { BlockList, isIP } from 'node:net';

/** Whether a URL's host is this machine, by its name or address alone. */
export const isLoopback = (hostname: string): boolean => {
  const host = bareHost(hostname);
  if (host === 'localhost') return true;
  const family = isIP(host);
  return family !== 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
};

/** Without the brackets that a URL puts around an IPv6 address. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
