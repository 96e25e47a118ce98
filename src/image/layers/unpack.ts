import { once } from 'node:events';
import { constants, createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import { compressionOf, magicLength } from './compression.ts';
import type { LayerLimits } from './layer-limits.ts';
import { LayerTrouble } from './layer-trouble.ts';
import { ZstdFrames } from './zstd-frames.ts';

/** Larger ones fall out of the processor's cache between decoder and hash: slower, and more memory. */
const outputChunkBytes = 64 * 1024;

/**
 * The tar within a layer: chunks in order, decoded in a thread of Node's pool while the caller works on the chunk before.
 *
 * `stored` is read to its end in any case, because only there its digest is known. No more is held than a few chunks and what the decoder
 * itself needs (`maxWindowBytes`).
 */
export const unpack = async function* (stored: AsyncIterable<Buffer>, limits: LayerLimits): AsyncGenerator<Buffer> {
  const { start, all } = await peek(stored);
  switch (compressionOf(start)) {
    case 'none':
      yield* all;
      return;
    case 'gzip':
      yield* decode(all, createGunzip({ ...outputOptions }), (chunk) => [chunk]);
      return;
    case 'zstd': {
      const frames = new ZstdFrames(limits.maxWindowBytes);
      const windowLog = Math.ceil(Math.log2(limits.maxWindowBytes));
      const decoder = createZstdDecompress({ ...outputOptions, params: { [constants.ZSTD_d_windowLogMax]: windowLog } });
      yield* decode(
        all,
        decoder,
        (chunk) => frames.split(chunk),
        () => frames.end(),
      );
    }
  }
};

/** So much room that a full chunk does not hold up the decoder. */
const outputOptions = { chunkSize: outputChunkBytes, readableHighWaterMark: 4 * outputChunkBytes };

type Decoder = Gunzip | ZstdDecompress;

const decode = async function* (
  stored: AsyncIterable<Buffer>,
  decoder: Decoder,
  cut: (chunk: Buffer) => readonly Buffer[],
  atEnd: () => void = () => undefined,
): AsyncGenerator<Buffer> {
  const feeding = feed(stored, decoder, cut, atEnd);
  feeding.catch((error: unknown) => decoder.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const chunk of decoder) yield chunk as Buffer;
  } catch (error) {
    throw decodingTrouble(error);
  } finally {
    decoder.destroy();
  }
  await feeding;
};

const feed = async (
  stored: AsyncIterable<Buffer>,
  decoder: Decoder,
  cut: (chunk: Buffer) => readonly Buffer[],
  atEnd: () => void,
): Promise<void> => {
  const ended = new AbortController();
  decoder.once('end', () => ended.abort());
  decoder.once('close', () => ended.abort());
  for await (const chunk of stored) {
    if (decoder.destroyed && !decoder.readableEnded) return; // nobody listens any more
    for (const piece of cut(chunk)) {
      if (ended.signal.aborted) continue; // zeros after the last gzip member: read, so that their digest is known
      if (!decoder.write(piece)) await once(decoder, 'drain', { signal: ended.signal }).catch(() => undefined);
    }
  }
  atEnd();
  if (!ended.signal.aborted) decoder.end();
};

/** Node's codes for bad data begin with the library's prefix; anything else (the source, a signal) stays what it is. */
const decodingTrouble = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^(Z_|ZSTD_|ERR_ZLIB)/.test(code)) return error;
  return new LayerTrouble(`cannot be decompressed: ${error instanceof Error ? error.message : code}`, error);
};

/** The first bytes, and all of them again. */
const peek = async (stored: AsyncIterable<Buffer>): Promise<{ readonly start: Buffer; readonly all: AsyncIterable<Buffer> }> => {
  const iterator = stored[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  while (length < magicLength) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    first.push(value);
    length += value.length;
  }
  return { start: Buffer.concat(first).subarray(0, magicLength), all: chain(first, iterator) };
};

const chain = async function* (first: readonly Buffer[], iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
};
