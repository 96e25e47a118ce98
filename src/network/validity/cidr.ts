import { parseCidr, type AddressRange } from '../policy/address-set.ts';
import { refuse, type Check } from './shape.ts';

/** The API server takes bytes with leading zeros, for old objects' sake. Source: k8s.io/apimachinery, `IsValidCIDRForLegacyField`. */
export const rangeOf = (cidr: unknown): AddressRange | undefined =>
  typeof cidr === 'string' ? parseCidr(cidr.includes(':') ? cidr : cidr.replaceAll(/(?<![\d])0+(?=\d)/g, '')) : undefined;

export const cidr: Check = (value, path, flaws) => {
  if (rangeOf(value) === undefined)
    refuse(
      flaws,
      path,
      `${JSON.stringify(value)} is not a range of addresses`,
      'write ADDRESS/BITS, for one address 203.0.113.9/32 or 2001:db8::1/128',
    );
};

/** Whether `inner` is in `outer` and smaller. */
export const isStrictlyInside = (inner: AddressRange, outer: AddressRange): boolean =>
  inner[0] >= outer[0] && inner[1] <= outer[1] && inner[1] - inner[0] < outer[1] - outer[0];
