import { matchesDigest } from './digest.ts';
import type { BlobDescriptor } from './image-source.ts';

/**
 * The content that stands in the descriptor itself, if it is what the descriptor says; else it is asked for like any other.
 *
 * Source: OCI Image specification 1.1, "Embedded Content".
 */
export const embeddedContent = ({ data, digest, size }: BlobDescriptor): Uint8Array | undefined => {
  if (data === undefined) return undefined;
  const bytes = Buffer.from(data, 'base64');
  return bytes.length === size && matchesDigest(bytes, digest) ? bytes : undefined;
};
