/** How long to wait before try number `failures + 1`: doubles from `firstMs` up to `longestMs`. */
export const backoffMs = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
