import { Readable } from 'node:stream';
import { isWebPage, notARegistry, refuseCompressed } from './answer-trouble.ts';
import { readDescriptors } from './descriptor.ts';
import { digestProblem, isDigest } from './digest.ts';
import { embeddedContent } from './embedded-content.ts';
import type { Endpoint } from './endpoint.ts';
import { readBody, readSome } from './http/body.ts';
import type { WireAnswer } from './http/exchange.ts';
import type { BlobDescriptor, Descriptor, Manifest, WatchedSource } from './image-source.ts';
import { maxManifestBytes } from './limits.ts';
import { readManifest } from './manifest.ts';
import { isIndexMediaType, manifestAccept } from './media-types.ts';
import { askPlace, type Place } from './place.ts';
import { quotedText } from './quoted-text.ts';
import { isTag } from './reference.ts';
import { listByApi } from './referrers-api.ts';
import { referrersTag } from './referrers-tag.ts';
import { RegistryError, isRegistryError } from './registry-error.ts';
import { verifiedChunks, wrongSize } from './verified-chunks.ts';
import { wholeDocument, type DocumentLimit } from './whole-document.ts';

export interface RegistrySourceSettings extends DocumentLimit {
  readonly name: string;
  /** Asked first, in this order. */
  readonly mirrors: readonly Place[];
  /** Its word is the last one. */
  readonly registry: Place;
}

/**
 * An image's repository in a registry, or in its mirrors.
 *
 * Source: OCI Distribution specification 1.1.
 */
export class RegistrySource implements WatchedSource {
  readonly name: string;
  private readonly settings: RegistrySourceSettings;
  /** That have said that they have no referrers API. */
  private readonly withoutReferrers = new Set<Endpoint>();

  constructor(settings: RegistrySourceSettings) {
    this.name = settings.name;
    this.settings = settings;
  }

  async getManifest(reference: string, signal?: AbortSignal): Promise<Manifest | undefined> {
    const byDigest = reference.includes(':');
    if (byDigest) checkDigest(reference);
    else if (!isTag(reference)) throw new TypeError(`no tag and no digest: ${quotedText(reference)}`);
    const canAnswer = ({ endpoint }: Place): boolean => byDigest || endpoint.resolvesTags;
    return await this.firstAnswer(canAnswer, (place) => this.fetchManifest(place, reference, signal));
  }

  async peekDigest(tag: string, signal?: AbortSignal): Promise<string | undefined> {
    if (!isTag(tag)) throw new TypeError(`no tag: ${quotedText(tag)}`);
    const what = `whether ${tag} of ${this.name} has moved`;
    const isTagged = ({ endpoint }: Place): boolean => endpoint.resolvesTags;
    const stated = await this.firstAnswer(isTagged, (place) =>
      wholeDocument(this.settings, what, signal, async (within) => {
        const answer = await askPlace(
          place,
          { purpose: 'manifest', method: 'HEAD', path: `manifests/${tag}`, what, accept: manifestAccept },
          within,
        );
        if (answer === undefined) return undefined;
        await readSome(answer);
        return answer.header('docker-content-digest') ?? '';
      }),
    );
    if (stated === undefined || isDigest(stated)) return stated;
    return (await this.getManifest(tag, signal))?.digest; // a registry need not say it
  }

  async getBlob(blob: BlobDescriptor, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    checkDigest(blob.digest);
    const what = `blob ${blob.digest} of ${this.name}`;
    if (blob.size > maxBytes) throw tooLarge(what, blob.size, maxBytes);
    const embedded = embeddedContent(blob);
    if (embedded !== undefined) return embedded;
    return await this.firstAnswer(everyPlace, (place) =>
      wholeDocument(this.settings, what, signal, async (within) => {
        const answer = await askPlace(place, { purpose: 'blob', path: `blobs/${blob.digest}`, what }, within);
        if (answer === undefined) return undefined;
        checkLength(answer, blob, what);
        const chunks: Uint8Array[] = [];
        for await (const chunk of verifiedChunks(answer.chunks(), blob, what)) chunks.push(chunk);
        return Buffer.concat(chunks);
      }),
    );
  }

  async openBlob(blob: BlobDescriptor, signal?: AbortSignal): Promise<Readable | undefined> {
    checkDigest(blob.digest);
    const what = `blob ${blob.digest} of ${this.name}`;
    return await this.firstAnswer(everyPlace, async (place) => {
      const unread = new AbortController();
      const within = signal === undefined ? unread.signal : AbortSignal.any([signal, unread.signal]);
      const answer = await askPlace(place, { purpose: 'blob', path: `blobs/${blob.digest}`, what }, within);
      if (answer === undefined) return undefined;
      try {
        checkLength(answer, blob, what);
      } catch (error) {
        unread.abort();
        throw error;
      }
      const stream = Readable.from(verifiedChunks(answer.chunks(), blob, what), { objectMode: false });
      return stream.once('close', () => unread.abort()); // also where nobody began to read
    });
  }

  /** The registry itself knows best. Mirrors are asked when it cannot be: what they list counts, that they list nothing does not. */
  async listReferrers(digest: string, signal?: AbortSignal): Promise<readonly Descriptor[]> {
    checkDigest(digest);
    const { mirrors, registry } = this.settings;
    try {
      return await this.referrersAt(registry, digest, signal);
    } catch (error) {
      if (!isRegistryError(error, 'RegistryUnreachable', 'RegistryTimeout')) throw error;
      for (const mirror of mirrors) {
        const listed = await this.referrersAt(mirror, digest, signal).catch(rethrowUnlessRegistry);
        if (listed !== undefined && listed.length > 0) return listed;
      }
      throw error;
    }
  }

  private async firstAnswer<T>(
    canAnswer: (place: Place) => boolean,
    askAt: (place: Place) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { mirrors, registry } = this.settings;
    const silent: string[] = [];
    for (const mirror of mirrors.filter(canAnswer)) {
      try {
        const answer = await askAt(mirror);
        if (answer !== undefined) return answer;
        silent.push(`mirror ${mirror.endpoint.host}: not there`);
      } catch (error) {
        if (!isRegistryError(error)) throw error;
        silent.push(`mirror ${mirror.endpoint.host}: ${error.message}`);
      }
    }
    try {
      return await askAt(registry);
    } catch (error) {
      if (!isRegistryError(error) || silent.length === 0) throw error;
      const { code, message: summary, detail, nextSteps, cause } = error;
      throw new RegistryError({ code, summary, detail: [detail, ...silent].filter(Boolean).join('\n'), nextSteps, cause });
    }
  }

  private async fetchManifest(place: Place, reference: string, signal: AbortSignal | undefined): Promise<Manifest | undefined> {
    const what = `manifest ${reference} of ${this.name}`;
    return await wholeDocument(this.settings, what, signal, async (within) => {
      const answer = await askPlace(place, { purpose: 'manifest', path: `manifests/${reference}`, what, accept: manifestAccept }, within);
      if (answer === undefined) return undefined;
      if (isWebPage(answer)) throw await notARegistry(answer, what);
      refuseCompressed(answer, what);
      return readManifest({
        bytes: await readBody(answer, maxManifestBytes, what),
        statedType: answer.header('content-type'),
        digest: isDigest(reference) ? reference : undefined,
        statedDigest: answer.header('docker-content-digest'),
        what,
      });
    });
  }

  private async referrersAt(place: Place, digest: string, signal: AbortSignal | undefined): Promise<readonly Descriptor[]> {
    const [listed, tagged] = await Promise.all([
      this.withoutReferrers.has(place.endpoint) ? [] : this.listedAt(place, digest, signal),
      this.fetchManifest(place, referrersTag(digest), signal),
    ]);
    const fromTag = tagged !== undefined && isIndexMediaType(tagged.mediaType) ? readDescriptors(tagged.document, 'manifests') : undefined;
    return [...new Map([...(fromTag ?? []), ...listed].map((each) => [each.digest, each])).values()];
  }

  private async listedAt(place: Place, digest: string, signal: AbortSignal | undefined): Promise<readonly Descriptor[]> {
    const what = `referrers of ${digest} in ${this.name}`;
    const listed = await wholeDocument(this.settings, what, signal, (within) => listByApi(place, digest, what, within));
    if (listed === undefined) this.withoutReferrers.add(place.endpoint);
    return listed ?? [];
  }
}

const everyPlace = (): boolean => true;

const rethrowUnlessRegistry = (error: unknown): undefined => {
  if (!isRegistryError(error)) throw error;
  return undefined;
};

const checkDigest = (digest: string): void => {
  const problem = digestProblem(digest);
  if (problem === undefined) return;
  throw new RegistryError({
    code: 'RegistryAnswerInvalid',
    summary: `"${quotedText(digest)}" is no digest that can be asked for`,
    detail: problem,
    nextSteps: ['is it out of a manifest? then that manifest is not in order'],
  });
};

const checkLength = (answer: WireAnswer, blob: BlobDescriptor, what: string): void => {
  const stated = answer.header('content-length');
  if (stated !== undefined && Number(stated) !== blob.size) throw wrongSize(what, blob.size, stated);
};

const tooLarge = (what: string, size: number, maxBytes: number): RegistryError =>
  new RegistryError({
    code: 'ContentTooLarge',
    summary: `${what} is ${size} bytes long, and at most ${maxBytes} are read of such a thing`,
    nextSteps: ['whatever that is, it is not what was asked for: look at the image'],
  });
