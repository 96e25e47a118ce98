import { everyAddress, type AddressRange, type AddressSet } from './address-set.ts';

/** The line of all addresses, cut where any of the sets begins or ends. */
export interface AddressAtoms {
  /** Equal for ranges that every set covers in the same way. */
  readonly signatureOf: (range: AddressRange) => string;
  /** The pieces, in order. Pieces with one signature are in the same sets. */
  readonly pieces: readonly { readonly range: AddressRange; readonly signature: string }[];
  readonly knows: (set: AddressSet) => boolean;
}

export const createAddressAtoms = (sets: readonly AddressSet[]): AddressAtoms => {
  const distinct = new Map(sets.map((set) => [set.join(), set]));
  const starts = cutsOf(distinct.values());
  const members: number[][] = starts.map(() => []);
  [...distinct.values()].forEach((set, number) => {
    for (const [first, last] of set)
      for (let index = atomOf(starts, first); index < starts.length && (starts[index] ?? 0n) <= last; index++) members[index]?.push(number);
  });
  const signatures = members.map((numbers) => numbers.join('.'));
  const signatureOf = ([first, last]: AddressRange): string => {
    const [from, to] = [atomOf(starts, first), atomOf(starts, last)];
    return from === to ? (signatures[from] ?? '') : [...new Set(signatures.slice(from, to + 1))].toSorted().join('~');
  };
  return {
    signatureOf,
    pieces: starts.map((first, index) => ({
      range: [first, (starts[index + 1] ?? everyAddress.IPv6[1] + 1n) - 1n],
      signature: signatures[index] ?? '',
    })),
    knows: (set) => distinct.has(set.join()),
  };
};

const cutsOf = (sets: Iterable<AddressSet>): readonly bigint[] => {
  const cuts = new Set([everyAddress.IPv4[0], everyAddress.IPv6[0]]);
  for (const set of sets) {
    for (const [first, last] of set) {
      cuts.add(first);
      if (last !== everyAddress.IPv6[1]) cuts.add(last + 1n);
    }
  }
  return [...cuts].toSorted((a, b) => (a < b ? -1 : 1));
};

/** The last that begins at or before the address. */
const atomOf = (starts: readonly bigint[], address: bigint): number => {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0n) <= address) low = middle;
    else high = middle - 1;
  }
  return low;
};
