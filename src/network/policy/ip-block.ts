import { BlockList, isIP } from 'node:net';

export interface IpBlock {
  readonly cidr: string;
  readonly except?: readonly string[] | null;
}

/**
 * Whether an address is in the block and in none of its exceptions; IPv4 and IPv6 never match each other. `undefined` when a
 * range or the address cannot be read.
 *
 * Source: Kubernetes API reference, IPBlock v1 networking.k8s.io.
 */
export const blockContains = (block: IpBlock, address: string): boolean | undefined => {
  const ranges = [block.cidr, ...(block.except ?? [])].map((cidr) => rangeContains(cidr, address));
  const [inside, ...exceptions] = ranges;
  if (ranges.includes(undefined)) return undefined;
  return inside === true && !exceptions.includes(true);
};

const rangeContains = (cidr: string, address: string): boolean | undefined => {
  const [, network, prefix] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  if (network === undefined || prefix === undefined) return undefined;
  const family = isIP(network);
  const addressFamily = isIP(address);
  if (family === 0 || addressFamily === 0 || Number(prefix) > (family === 4 ? 32 : 128)) return undefined;
  if (family !== addressFamily) return false;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, Number(prefix), name);
  return range.check(address, name);
};
