import { BlockList, isIP } from 'node:net';

/**
 * Whether an address is of this machine, of a private network, or of nobody: where no server on the internet may send a client.
 *
 * Source: IANA special-purpose address registries (RFC 6890), RFC 1918, RFC 4193, RFC 6598, RFC 3927.
 */
export const isPrivateAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 0) return false;
  const mapped = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isPrivateAddress(mapped);
  return blocks.check(address, family === 6 ? 'ipv6' : 'ipv4');
};

/** Names that mean this machine without being asked for. Source: RFC 6761. */
export const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname);

const blocks = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  blocks.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  blocks.addSubnet(network, prefix, 'ipv6');
}
