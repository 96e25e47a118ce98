import { LayerTrouble } from './layer-trouble.ts';

export type Compression = 'none' | 'gzip' | 'zstd';

/** That many bytes of a layer tell how it is compressed; a shorter layer is not compressed. */
export const magicLength = 6;

/**
 * By the first bytes. Media types are no guide: layers exist that are zstd and labelled as Docker's gzip.
 *
 * Source: RFC 1952, 2.3.1; RFC 8878, 3.1.1 and 3.1.2. Runtimes read these two; of the others they refuse the pull.
 */
export const compressionOf = (start: Uint8Array): Compression => {
  const startsWith = (...magic: readonly number[]): boolean => magic.every((byte, index) => start[index] === byte);
  if (startsWith(0x1f, 0x8b)) return 'gzip';
  if (startsWith(0x28, 0xb5, 0x2f, 0xfd)) return 'zstd';
  if (((start[0] ?? 0) & 0xf0) === 0x50 && start[1] === 0x2a && start[2] === 0x4d && start[3] === 0x18) return 'zstd'; // a skippable frame
  if (startsWith(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)) throw new LayerTrouble('is compressed with xz, which no OCI layer is');
  if (startsWith(0x42, 0x5a, 0x68)) throw new LayerTrouble('is compressed with bzip2, which no OCI layer is');
  return 'none';
};
