import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { findInLayers, type FindOptions, type LayeredImage } from '../../../src/image/layers/find-in-layers.ts';
import type { FileInImage } from '../../../src/image/layers/file-in-image.ts';
import type { BlobDescriptor, ImageSource } from '../../../src/registry/image-source.ts';
import { verifiedChunks } from '../../../src/registry/verified-chunks.ts';
import { tarOf, type TarFile } from './tar-archive.ts';

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** A layer as it is stored, and the tar within. */
export interface StoredLayer {
  readonly stored: Buffer;
  readonly tar: Buffer;
}

export interface TestImage {
  readonly source: ImageSource;
  readonly image: LayeredImage;
  /** Digests of the blobs that were opened, in order. */
  readonly opened: readonly string[];
}

export interface TestImageOptions {
  /** Sizes of the chunks that a blob comes in, in turn. */
  readonly chunks?: readonly number[];
  /** What comes instead of a layer's bytes (its descriptor stays). */
  readonly tampered?: (stored: Buffer, layer: number) => Buffer | undefined;
}

/** An image in memory, lowest layer first; blobs are verified by the same code as a registry's. */
export const imageOf = (layers: readonly StoredLayer[], { chunks = [64 * 1024], tampered }: TestImageOptions = {}): TestImage => {
  const descriptors: readonly BlobDescriptor[] = layers.map(({ stored }) => ({ digest: `sha256:${sha256(stored)}`, size: stored.length }));
  const opened: string[] = [];
  const notAsked = (): never => {
    throw new Error('layers need blobs only');
  };
  const source: ImageSource = {
    name: 'memory',
    getManifest: notAsked,
    getBlob: notAsked,
    listReferrers: notAsked,
    async openBlob(blob) {
      await Promise.resolve();
      const number = descriptors.findIndex(({ digest }) => digest === blob.digest);
      const layer = layers[number];
      if (layer === undefined) return undefined;
      opened.push(blob.digest);
      const bytes = tampered === undefined ? layer.stored : tampered(layer.stored, number);
      if (bytes === undefined) return undefined;
      return Readable.from(verifiedChunks(cut(bytes, chunks), blob, 'blob'), { objectMode: false });
    },
  };
  return { source, opened, image: { layers: descriptors, diffIds: layers.map(({ tar }) => `sha256:${sha256(tar)}`) } };
};

const cut = async function* (bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield await Promise.resolve(bytes.subarray(at, at + size));
    at += size;
  }
};

export const plain = (tar: Buffer): StoredLayer => ({ stored: tar, tar });

/** Layers of files, lowest first, not compressed. */
export const imageOfFiles = (...layers: readonly (readonly TarFile[])[]): TestImage => imageOf(layers.map((files) => plain(tarOf(files))));

export const find = async ({ source, image }: TestImage, path: string, options: FindOptions = {}): Promise<FileInImage> => {
  const [answer] = await findInLayers(source, image, [path], options);
  if (answer === undefined) throw new Error('no answer');
  return answer;
};
