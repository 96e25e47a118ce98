import { isIPv4, isIPv6 } from 'node:net';

/** Addresses on one line: the 2^32 of IPv4, then those of IPv6. First and last, both included. */
export type AddressRange = readonly [first: bigint, last: bigint];

/** Ascending, without overlap or touching neighbours. */
export type AddressSet = readonly AddressRange[];

export type AddressFamily = 'IPv4' | 'IPv6';

const ipv6Start = 2n ** 32n;

export const everyAddress: Readonly<Record<AddressFamily, AddressRange>> = {
  IPv4: [0n, ipv6Start - 1n],
  IPv6: [ipv6Start, ipv6Start + 2n ** 128n - 1n],
};

export const familyOf = ([first]: AddressRange): AddressFamily => (first < ipv6Start ? 'IPv4' : 'IPv6');

/** `203.0.113.9`, `203.0.113.0/24` (host bits are ignored), `203.0.113.0-203.0.113.77`. `undefined` for anything else. */
export const parseAddressRange = (text: string): AddressRange | undefined => {
  const dash = text.indexOf('-');
  if (dash !== -1) {
    const [first, last] = [parseAddress(text.slice(0, dash)), parseAddress(text.slice(dash + 1))];
    if (first === undefined || last === undefined || first > last || familyOf([first, first]) !== familyOf([last, last])) return undefined;
    return [first, last];
  }
  if (text.includes('/')) return parseCidr(text);
  const address = parseAddress(text);
  return address === undefined ? undefined : [address, address];
};

export const parseCidr = (text: string): AddressRange | undefined => {
  const [, network = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(network);
  if (address === undefined) return undefined;
  const family = familyOf([address, address]);
  const freeBits = (family === 'IPv4' ? 32 : 128) - Number(prefix);
  if (freeBits < 0) return undefined;
  const [start] = everyAddress[family];
  const size = 1n << BigInt(freeBits);
  const first = start + ((address - start) / size) * size;
  return [first, first + size - 1n];
};

const parseAddress = (text: string): bigint | undefined => {
  if (isIPv4(text)) return BigInt(text.split('.').reduce((value, byte) => value * 256 + Number(byte), 0));
  // Only what has a colon is put to Node's test for IPv6: its expression takes ten milliseconds to be made ready.
  return text.includes(':') && isIPv6(text) ? ipv6Start + parseIpv6(text) : undefined;
};

/** Source: RFC 4291, section 2.2. A zone (`%eth0`) is left out. */
const parseIpv6 = (text: string): bigint => {
  const [plain = ''] = text.split('%');
  const hex = plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_whole, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = hex.split('::');
  const groups = (part: string): readonly string[] => (part === '' ? [] : part.split(':'));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n);
};

/** `10.0.0.0-10.0.0.255`; one address alone as such. */
export const formatAddressRange = ([first, last]: AddressRange): string =>
  first === last ? formatAddress(first) : `${formatAddress(first)}-${formatAddress(last)}`;

const formatAddress = (address: bigint): string => {
  if (address < ipv6Start) return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');
  const value = address - ipv6Start;
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 65_535n).toString(16)).join(':');
  return new URL(`http://[${groups}]`).hostname.slice(1, -1); // the shortest form
};

export const addressSet = (ranges: readonly AddressRange[]): AddressSet => {
  const merged: [bigint, bigint][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1n && first !== ipv6Start) {
      if (last > previous[1]) previous[1] = last;
    } else merged.push([first, last]);
  }
  return merged;
};

export const withoutAddresses = (set: AddressSet, removed: AddressSet): AddressSet =>
  removed.reduce<AddressSet>(
    (left, [first, last]) =>
      left.flatMap(([from, to]): AddressRange[] => {
        if (last < from || first > to) return [[from, to]];
        return [...(from < first ? [[from, first - 1n] as const] : []), ...(to > last ? [[last + 1n, to] as const] : [])];
      }),
    set,
  );

/** How much of the ranges is in the set. */
export const coverageOf = (set: AddressSet, ranges: readonly AddressRange[]): 'all' | 'some' | 'none' => {
  if (ranges.every(([first, last]) => set.some(([from, to]) => first >= from && last <= to))) return 'all';
  return ranges.some(([first, last]) => set.some(([from, to]) => first <= to && last >= from)) ? 'some' : 'none';
};
