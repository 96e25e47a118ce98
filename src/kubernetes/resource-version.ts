/**
 * Whether version `a` of an object (or of a list) is older than `b`, `undefined` where the two cannot be compared: one of
 * them is missing or no decimal number.
 *
 * Source: Kubernetes API concepts, "Resource versions": comparable as decimal numbers of any length, within one resource.
 */
export const isOlderVersion = (a: string | undefined, b: string | undefined): boolean | undefined => {
  if (a === undefined || b === undefined || !decimal.test(a) || !decimal.test(b)) return undefined;
  return a.length === b.length ? a < b : a.length < b.length;
};

const decimal = /^(0|[1-9]\d*)$/;
