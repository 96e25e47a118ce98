import { hashFor, hexOf } from './digest.ts';
import type { BlobDescriptor } from './image-source.ts';
import { mismatch } from './manifest.ts';
import { RegistryError } from './registry-error.ts';

/**
 * The chunks of a blob as they come, and an error in place of the end where they are not what the descriptor says: too many, too few, or
 * others. Nothing of what came may be believed before the end.
 */
export async function* verifiedChunks(
  chunks: AsyncIterable<Uint8Array>,
  { digest, size }: BlobDescriptor,
  what: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = hashFor(digest);
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > size) throw wrongSize(what, size, 'more');
    hash.update(chunk);
    yield chunk;
  }
  if (length < size) throw wrongSize(what, size, `${length}`);
  const actual = hash.digest('hex');
  if (actual !== hexOf(digest)) throw mismatch(what, digest, `${digest.slice(0, digest.indexOf(':'))}:${actual}`);
}

export const wrongSize = (what: string, expected: number, actual: string): RegistryError =>
  new RegistryError({
    code: 'DigestMismatch',
    summary: `the content of ${what} is not what its digest says`,
    detail: `expected ${expected} bytes, received ${actual}`,
    nextSteps: [
      'ask again: if it stays so, the source, a mirror or a proxy on the way changes contents, and nothing from there is to be believed',
    ],
  });
