import { createHash, type Hash } from 'node:crypto';
import type { BlobDescriptor, ImageSource } from '../../registry/image-source.ts';
import { FileIntake, type ReadContent } from './file-intake.ts';
import { layerEntryOf } from './layer-entry.ts';
import { sizeText, type LayerLimits } from './layer-limits.ts';
import { LayerLinks } from './layer-links.ts';
import { LayerTrouble } from './layer-trouble.ts';
import type { NameIndex } from './name-index.ts';
import type { PathTrace } from './path-trace.ts';
import { TarReader } from './tar/tar-reader.ts';
import { unpack } from './unpack.ts';

export interface LayerScan {
  readonly source: ImageSource;
  readonly layer: BlobDescriptor;
  /** Digest of the tar within, as the image's config has it. */
  readonly diffId: string;
  readonly traces: readonly PathTrace<ReadContent>[];
  /** Names are added to it, where it is not complete yet. */
  readonly index?: NameIndex;
  readonly wantsBuildInfo: boolean;
  readonly limits: LayerLimits;
  /** Called as bytes come: as they are stored, and unpacked. */
  readonly onBytes?: (stored: number, unpacked: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Reads a layer once, from its first byte to its last, and lets the traces see every entry.
 *
 * Resolves only when the stored bytes were what the layer's digest says (the source's promise) and the tar within was what `diffId` says. Else
 * it throws, a `LayerTrouble` where the layer or the source is to blame, and nothing that the traces saw may be used. Memory does not grow
 * with the layer.
 */
export const scanLayer = async ({ limits, traces, index, signal, ...scan }: LayerScan): Promise<void> => {
  const algorithm = scan.diffId.slice(0, scan.diffId.indexOf(':'));
  if (algorithm !== 'sha256' && algorithm !== 'sha512') throw new LayerTrouble(`has a diff ID that poimen cannot check (${scan.diffId})`);
  const hash = createHash(algorithm);

  const links = new LayerLinks(limits.maxLinkBytes);
  let entryNumber = 0;
  const intakes: FileIntake[] = [];
  const tar = new TarReader((tarEntry) => {
    const raw = layerEntryOf(tarEntry);
    if (raw === undefined) return undefined;
    const entry = links.place(raw);
    index?.add(entry);
    const number = entryNumber++;
    const wanted = traces.map((trace) => trace.apply(entry, number)).filter((leaf) => leaf !== undefined);
    if (wanted.length === 0) return undefined;
    const onContent = (content: ReadContent): void => wanted.forEach((leaf) => Object.assign(leaf, { content }));
    const started = new FileIntake(tarEntry.size, scan.wantsBuildInfo, limits, onContent, signal);
    intakes.push(started);
    return started;
  });

  try {
    let unpackedBytes = 0;
    const stored = storedBytes(scan.source, scan.layer, (bytes) => scan.onBytes?.(bytes, 0), signal);
    for await (const chunk of unpack(stored, limits)) {
      signal?.throwIfAborted();
      unpackedBytes += chunk.length;
      if (unpackedBytes > limits.maxUnpackedBytes) {
        throw new LayerTrouble(`unpacks to more than ${sizeText(limits.maxUnpackedBytes)}, which is refused`);
      }
      scan.onBytes?.(0, chunk.length);
      hash.update(chunk);
      tar.push(chunk);
      while (intakes[0] !== undefined && (await intakes[0].settle())) intakes.shift();
    }
    tar.end();
  } finally {
    for (const unfinished of intakes) await unfinished.discard();
  }
  checkDiffId(hash, algorithm, scan.diffId);
};

const checkDiffId = (hash: Hash, algorithm: string, diffId: string): void => {
  const seen = `${algorithm}:${hash.digest('hex')}`;
  if (seen !== diffId) throw new LayerTrouble(`unpacks to something else than the image's config says: ${seen} instead of ${diffId}`);
};

/** As a source's stream gives them; what goes wrong there is the layer's trouble, with the source's own error as cause. */
const storedBytes = async function* (
  source: ImageSource,
  layer: BlobDescriptor,
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const blame = (error: unknown): never => {
    signal?.throwIfAborted();
    throw new LayerTrouble(`cannot be read from ${source.name}: ${error instanceof Error ? error.message : String(error)}`, error);
  };
  const stream = await source.openBlob(layer, signal).catch(blame);
  if (stream === undefined) throw new LayerTrouble(`is not there any more: ${source.name} has no such blob`);
  const chunks = stream.iterator() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const { value, done } = await chunks.next().catch(blame);
      if (done === true) return;
      onBytes(value.length);
      yield Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.length);
    }
  } finally {
    await chunks.return?.();
    stream.destroy();
  }
};
