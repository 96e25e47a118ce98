/** What a hostile layer may cost. Each is said in the reason when it is exceeded. */
export interface LayerLimits {
  /** Of one layer, in bytes, unpacked; the file that is looked for too (a sparse file says that it is larger than its layer). */
  readonly maxUnpackedBytes: number;
  /** Of a zstd frame, in bytes: that much of what was unpacked the decoder keeps in memory. */
  readonly maxWindowBytes: number;
  /** Of a binary, in bytes, that is kept on disk while its build info is read. */
  readonly maxBinaryBytes: number;
  /** Of the names and targets of one layer's symbolic links, in bytes: they are kept in memory. */
  readonly maxLinkBytes: number;
}

const mebibyte = 2 ** 20;

export const defaultLayerLimits: LayerLimits = {
  maxUnpackedBytes: 64 * 1024 * mebibyte,
  maxWindowBytes: 64 * mebibyte,
  maxBinaryBytes: 1024 * mebibyte,
  maxLinkBytes: 32 * mebibyte,
};

/** `64 GiB`, `100 bytes`. */
export const sizeText = (bytes: number): string => {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  if (bytes < 1024) return `${bytes} bytes`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const size = bytes / 1024 ** power;
  return `${Number.isInteger(size) ? size : size.toFixed(1)} ${units[power - 1]}`;
};
