import { createAddressAtoms } from '../policy/address-atoms.ts';
import { formatAddressRange, parseCidr, type AddressSet } from '../policy/address-set.ts';
import type { AddressPeer } from '../policy/peer.ts';
import type { PolicyInput } from '../policy/policy-input.ts';
import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';

/** All addresses outside of pods, cut where a policy names a range. */
export const outsideOf = (policies: readonly PolicyInput[]): readonly AddressPeer[] =>
  createAddressAtoms(policies.flatMap(({ object }) => rangesIn(object['spec']))).pieces.map(({ range }) => ({
    kind: 'address',
    address: formatAddressRange(range),
  }));

/** Of every policy kind: `ipBlock` of NetworkPolicy, `networks` of the others. */
const rangesIn = (value: unknown): readonly AddressSet[] => {
  if (isJsonArray(value)) return value.flatMap(rangesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([field, content]) => {
    if (field === 'cidr' || field === 'except' || field === 'networks') return [content].flat().flatMap(rangeOf);
    return rangesIn(content);
  });
};

const rangeOf = (text: unknown): readonly AddressSet[] => {
  const range = typeof text === 'string' ? parseCidr(text) : undefined;
  return range === undefined ? [] : [[range]];
};
