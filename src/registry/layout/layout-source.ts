import { Readable } from 'node:stream';
import { join, resolve } from 'node:path';
import { PoimenError } from '../../errors/poimen-error.ts';
import { isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import { readAnnotations, readDescriptors } from '../descriptor.ts';
import { isDigest } from '../digest.ts';
import { embeddedContent } from '../embedded-content.ts';
import type { BlobDescriptor, Descriptor, Manifest, WatchedSource } from '../image-source.ts';
import { maxIndexDepth, maxManifestBytes, maxManifestsInLayout } from '../limits.ts';
import { readManifest } from '../manifest.ts';
import { isIndexMediaType, isManifestMediaType, manifestMediaTypes, ociIndexMediaType } from '../media-types.ts';
import { quotedText } from '../quoted-text.ts';
import { referrersTag } from '../referrers-tag.ts';
import { RegistryError } from '../registry-error.ts';
import { verifiedChunks, wrongSize } from '../verified-chunks.ts';
import { blobPath, openLayoutFile, readLayoutFile, unreadable } from './layout-files.ts';

/**
 * An OCI layout: a folder with `oci-layout`, `index.json` and `blobs/`.
 *
 * Source: OCI Image Layout specification 1.1.
 */
export class LayoutSource implements WatchedSource {
  readonly name: string;
  private readonly directory: string;

  constructor(directory: string, workingDirectory: string) {
    this.name = `oci:${directory}`;
    this.directory = resolve(workingDirectory, directory);
  }

  /**
   * What stands in for a tag where none is named: the one image that is in it.
   *
   * @throws PoimenError `TagMissing` where there is none, or more than one.
   */
  async onlyImage(): Promise<string> {
    const entries = await this.entries();
    const named = entries.filter((entry) => tagOf(entry) !== undefined && !/^sha\d+-/.test(tagOf(entry) ?? ''));
    const digests = new Set((named.length > 0 ? named : entries).map(({ digest }) => digest));
    const [only] = digests;
    if (digests.size === 1 && only !== undefined) return only;
    const tags = named.map((entry) => quotedText(tagOf(entry) ?? ''));
    throw new PoimenError({
      outcome: 'usage',
      code: 'TagMissing',
      summary: digests.size === 0 ? `${this.name} holds no image` : `${this.name} holds ${digests.size} images`,
      ...(tags.length === 0 ? {} : { detail: `tags: ${tags.slice(0, 20).join(', ')}${tags.length > 20 ? ', ...' : ''}` }),
      nextSteps: [`name one of them: ${this.name}:TAG or ${this.name}@sha256:DIGEST`],
    });
  }

  async peekDigest(tag: string, signal?: AbortSignal): Promise<string | undefined> {
    return (await this.getManifest(tag, signal))?.digest;
  }

  async getManifest(reference: string, signal?: AbortSignal): Promise<Manifest | undefined> {
    signal?.throwIfAborted();
    const entries = await this.entries();
    if (isDigest(reference)) return await this.readManifestAt(reference, entries.find(({ digest }) => digest === reference)?.mediaType);
    const tagged = entries.filter((entry) => tagOf(entry) === reference);
    const [first] = tagged;
    if (first === undefined) return undefined;
    if (tagged.some(({ digest }) => digest !== first.digest)) {
      throw invalidLayout(this.name, `the tag ${quotedText(reference)} stands for ${tagged.length} images in its index.json`);
    }
    const manifest = await this.readManifestAt(first.digest, first.mediaType);
    if (manifest !== undefined) return manifest;
    throw invalidLayout(this.name, `${first.digest}, which the tag ${quotedText(reference)} stands for, is not among its blobs`);
  }

  async getBlob(blob: BlobDescriptor, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    if (blob.size > maxBytes) throw tooLong(`blob ${blob.digest} of ${this.name}`, maxBytes);
    const embedded = embeddedContent(blob);
    if (embedded !== undefined) return embedded;
    const stream = await this.openBlob(blob, signal);
    if (stream === undefined) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async openBlob(blob: BlobDescriptor, signal?: AbortSignal): Promise<Readable | undefined> {
    signal?.throwIfAborted();
    const what = `blob ${quotedText(blob.digest)} of ${this.name}`;
    if (!isDigest(blob.digest)) throw invalidLayout(this.name, `"${quotedText(blob.digest)}" is no digest that can be checked`);
    const file = await openLayoutFile(blobPath(this.directory, blob.digest));
    if (file === undefined) return undefined;
    if (file.size !== blob.size) {
      await file.handle.close();
      throw wrongSize(what, blob.size, String(file.size));
    }
    const content = file.handle.createReadStream({ highWaterMark: 256 * 1024, ...(signal === undefined ? {} : { signal }) });
    return Readable.from(verifiedChunks(content as AsyncIterable<Uint8Array>, blob, what), { objectMode: false });
  }

  /** A layout has no list of them: whatever its indexes lead to is read, and asked for its subject. */
  async listReferrers(digest: string, signal?: AbortSignal): Promise<readonly Descriptor[]> {
    const entries = await this.entries();
    const found = new Map<string, Descriptor>();
    const seen = new Set<string>();
    const visit = async (descriptors: readonly Descriptor[], depth: number): Promise<void> => {
      for (const descriptor of descriptors) {
        signal?.throwIfAborted();
        const isDocument = isIndexMediaType(descriptor.mediaType) || isManifestMediaType(descriptor.mediaType);
        if (seen.has(descriptor.digest) || !isDocument) continue;
        seen.add(descriptor.digest);
        if (seen.size > maxManifestsInLayout) throw invalidLayout(this.name, `it leads to more than ${maxManifestsInLayout} manifests`);
        const manifest = await this.readManifestAt(descriptor.digest, descriptor.mediaType);
        if (manifest === undefined) continue; // a layout may hold some platforms only
        if (subjectOf(manifest) === digest) found.set(manifest.digest, describe(manifest));
        if (!isIndexMediaType(manifest.mediaType)) continue;
        if (depth >= maxIndexDepth) throw invalidLayout(this.name, `its indexes are nested more than ${maxIndexDepth} deep`);
        await visit(readDescriptors(manifest.document, 'manifests') ?? [], depth + 1);
      }
    };
    await visit(entries, 1);
    const list = entries.find((entry) => tagOf(entry) === referrersTag(digest));
    const listed = list === undefined ? undefined : await this.readManifestAt(list.digest, list.mediaType);
    for (const each of (listed === undefined ? undefined : readDescriptors(listed.document, 'manifests')) ?? []) {
      if (!found.has(each.digest)) found.set(each.digest, each);
    }
    return [...found.values()];
  }

  /** Of `index.json`. */
  private async entries(): Promise<readonly Descriptor[]> {
    const marker = await this.readJson('oci-layout');
    const version = marker['imageLayoutVersion'];
    if (typeof version !== 'string' || !version.startsWith('1.')) throw invalidLayout(this.name, 'its oci-layout names no version 1');
    const entries = readDescriptors(await this.readJson('index.json'), 'manifests');
    if (entries === undefined) throw invalidLayout(this.name, 'its index.json has no manifests');
    return entries;
  }

  private async readJson(file: string): Promise<JsonObject> {
    const path = join(this.directory, file);
    const bytes = await readLayoutFile(path, maxManifestBytes);
    if (bytes === undefined) throw invalidLayout(this.name, `there is no ${path}`);
    if (bytes === 'tooLong') throw unreadable(path, `it is longer than ${maxManifestBytes} bytes`);
    let document: unknown;
    try {
      document = JSON.parse(new TextDecoder().decode(bytes));
    } catch (cause) {
      throw unreadable(path, 'it is not JSON', cause);
    }
    if (isJsonObject(document)) return document;
    throw unreadable(path, 'it is no JSON object');
  }

  private async readManifestAt(digest: string, statedType: string | undefined): Promise<Manifest | undefined> {
    const what = `manifest ${digest} of ${this.name}`;
    const path = blobPath(this.directory, digest);
    const bytes = await readLayoutFile(path, maxManifestBytes);
    if (bytes === undefined) return undefined;
    if (bytes === 'tooLong') throw tooLong(what, maxManifestBytes);
    return readManifest({ bytes, statedType: statedType ?? typeByShape(bytes), digest, what });
  }
}

const refName = 'org.opencontainers.image.ref.name';

const tagOf = ({ annotations }: Descriptor): string | undefined => annotations?.[refName];

const subjectOf = ({ document }: Manifest): unknown => (isJsonObject(document['subject']) ? document['subject']['digest'] : undefined);

/** As the referrers API would list it. Source: OCI Distribution specification 1.1, "Listing Referrers". */
const describe = ({ digest, size, mediaType, document }: Manifest): Descriptor => {
  const config = isJsonObject(document['config']) ? document['config']['mediaType'] : undefined;
  const type = document['artifactType'] ?? config;
  const annotations = readAnnotations(document['annotations']);
  return {
    digest,
    size,
    mediaType,
    ...(typeof type === 'string' ? { artifactType: type } : {}),
    ...(annotations === undefined ? {} : { annotations }),
  };
};

/** Older tools write no mediaType, and who asks by digest does not say which kind it is. */
const typeByShape = (bytes: Uint8Array): string | undefined => {
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isJsonObject(document)) return undefined;
    return document['manifests'] === undefined ? manifestMediaTypes[0] : ociIndexMediaType;
  } catch {
    return undefined;
  }
};

const invalidLayout = (name: string, detail: string): RegistryError =>
  new RegistryError({
    code: 'LayoutInvalid',
    summary: `${name} is no OCI layout that can be read`,
    detail,
    nextSteps: ['write it again: buildah push IMAGE oci:DIRECTORY:TAG, or skopeo copy'],
  });

const tooLong = (what: string, maxBytes: number): RegistryError =>
  new RegistryError({
    code: 'ContentTooLarge',
    summary: `${what} is longer than ${maxBytes} bytes, and no more are read of such a thing`,
    nextSteps: ['whatever that is, it is not what was asked for: look at the image'],
  });
