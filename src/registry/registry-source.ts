import { Readable } from 'node:stream';
import type { Clock } from '../clock/clock.ts';
import { isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import { isWebPage, lockedOut, notARegistry, unexpectedStatus } from './answer-trouble.ts';
import type { Session } from './auth/session.ts';
import { readDescriptors } from './descriptor.ts';
import { digestProblem, isDigest } from './digest.ts';
import { embeddedContent } from './embedded-content.ts';
import type { Endpoint } from './endpoint.ts';
import { readBody, readSome } from './http/body.ts';
import { mayBeAskedAgain, type WireAnswer } from './http/exchange.ts';
import { nextLink } from './http/link.ts';
import type { BlobDescriptor, Descriptor, Manifest, WatchedSource } from './image-source.ts';
import { maxManifestBytes, maxReferrerPages, maxReferrers } from './limits.ts';
import { readManifest } from './manifest.ts';
import { isIndexMediaType, manifestAccept, ociIndexMediaType } from './media-types.ts';
import { quotedText } from './quoted-text.ts';
import { isTag } from './reference.ts';
import { referrersTag } from './referrers-tag.ts';
import { RegistryError, isRegistryError } from './registry-error.ts';
import { remedies } from './remedies.ts';
import { withTimeLimit } from './time-limit.ts';
import type { Purpose } from './trace.ts';
import { verifiedChunks, wrongSize } from './verified-chunks.ts';

/** A place that answers, with the way to ask it. */
export interface Place {
  readonly endpoint: Endpoint;
  readonly session: Session;
}

export interface RegistrySourceSettings {
  readonly name: string;
  /** Asked first, in this order. */
  readonly mirrors: readonly Place[];
  /** Its word is the last one. */
  readonly registry: Place;
  readonly clock: Clock;
  /** For each small document, with tokens, redirects and retries. */
  readonly documentMs: number;
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
      this.document(what, signal, async (within) => {
        const answer = await this.ask(
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
      this.document(what, signal, async (within) => {
        const answer = await this.ask(place, { purpose: 'blob', path: `blobs/${blob.digest}`, what }, within);
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
      const answer = await this.ask(place, { purpose: 'blob', path: `blobs/${blob.digest}`, what }, within);
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
    return await this.document(what, signal, async (within) => {
      const answer = await this.ask(place, { purpose: 'manifest', path: `manifests/${reference}`, what, accept: manifestAccept }, within);
      if (answer === undefined) return undefined;
      if (isWebPage(answer)) throw await notARegistry(answer, what);
      checkEncoding(answer, what);
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
      this.withoutReferrers.has(place.endpoint) ? [] : this.askReferrers(place, digest, signal),
      this.fetchManifest(place, referrersTag(digest), signal),
    ]);
    const fromTag = tagged !== undefined && isIndexMediaType(tagged.mediaType) ? readDescriptors(tagged.document, 'manifests') : undefined;
    return [...new Map([...(fromTag ?? []), ...listed].map((each) => [each.digest, each])).values()];
  }

  private async askReferrers(place: Place, digest: string, signal: AbortSignal | undefined): Promise<readonly Descriptor[]> {
    const what = `referrers of ${digest} in ${this.name}`;
    return await this.document(what, signal, async (within) => {
      const found: Descriptor[] = [];
      let path = `referrers/${digest}`;
      for (let page = 1; ; page++) {
        const answer = await this.ask(
          place,
          { purpose: 'referrers', path, what, accept: ociIndexMediaType, absent: [404, 405, 501] },
          within,
        );
        if (answer === undefined) {
          if (page > 1) throw badReferrers(what, 'a page that it named itself is not there');
          this.withoutReferrers.add(place.endpoint);
          return [];
        }
        const next = nextLink(answer.header('link'));
        const filtered = answer.header('oci-filters-applied');
        found.push(...(await readReferrers(answer, what)));
        if (filtered !== undefined && filtered !== '') throw badReferrers(what, `it left some out, unasked: ${quotedText(filtered)}`);
        if (found.length > maxReferrers) throw badReferrers(what, `there are more than ${maxReferrers}`);
        if (next === undefined) return found;
        if (page >= maxReferrerPages) throw badReferrers(what, `there are more than ${maxReferrerPages} pages`);
        path = nextPage(next, answer.url, place.endpoint.base, what);
      }
    });
  }

  /** `undefined`: there is no such thing. Whatever else is no answer is thrown. */
  private async ask(
    { endpoint, session }: Place,
    { purpose, method = 'GET', path, what, accept = '*/*', absent = [404] }: Question,
    signal: AbortSignal | undefined,
  ): Promise<WireAnswer | undefined> {
    const url = new URL(path, endpoint.base);
    if (endpoint.mirrored !== undefined) url.searchParams.set('ns', endpoint.mirrored);
    const outcome = await session({ purpose, method, url, headers: { accept }, what, signal });
    if (outcome.kind === 'locked-out') throw lockedOut(outcome, endpoint.host, what);
    const { answer } = outcome;
    if (answer.status === 200) return answer;
    if (!absent.includes(answer.status)) throw await unexpectedStatus(answer, what);
    if (purpose !== 'referrers' && isWebPage(answer)) throw await notARegistry(answer, what);
    await readSome(answer);
    return undefined;
  }

  /** A small one is asked for once more where the connection breaks in its midst. */
  private async document<T>(what: string, signal: AbortSignal | undefined, read: (within: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, documentMs } = this.settings;
    const late = (): RegistryError =>
      new RegistryError({
        code: 'RegistryTimeout',
        summary: `${what}: no whole answer within ${documentMs / 1_000} s`,
        nextSteps: [remedies.askAgain],
      });
    return await withTimeLimit(clock, documentMs, signal, late, async (within) => {
      try {
        return await read(within);
      } catch (error) {
        if (!mayBeAskedAgain(error)) throw error;
        return await read(within);
      }
    });
  }
}

interface Question {
  readonly purpose: Purpose;
  readonly method?: 'GET' | 'HEAD';
  /** Below the repository. */
  readonly path: string;
  readonly what: string;
  readonly accept?: string;
  /** Statuses that mean that there is no such thing. */
  readonly absent?: readonly number[];
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

/** Nothing is ever unpacked on the way in: a small answer cannot become a large one. */
const checkEncoding = (answer: WireAnswer, what: string): void => {
  const encoding = answer.header('content-encoding');
  if (encoding === undefined || encoding === '' || encoding === 'identity') return;
  throw new RegistryError({
    code: 'RegistryAnswerInvalid',
    summary: `${answer.url.host} sends ${what} compressed (${quotedText(encoding)}), although it was asked not to`,
    nextSteps: ['correct the registry, or the proxy in front of it'],
  });
};

const readReferrers = async (answer: WireAnswer, what: string): Promise<readonly Descriptor[]> => {
  checkEncoding(answer, what);
  if (isWebPage(answer)) throw await notARegistry(answer, what);
  const body = new TextDecoder().decode(await readBody(answer, maxManifestBytes, what));
  const document = parseObject(body);
  const listed = document === undefined ? undefined : readDescriptors(document, 'manifests');
  if (listed === undefined) {
    const type = quotedText(answer.header('content-type') ?? 'without a content type');
    throw badReferrers(what, `it answered with something that is no index (${type}): ${quotedText(body)}`);
  }
  return listed;
};

const parseObject = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Only ever further in the same list. */
const nextPage = (link: string, from: URL, base: URL, what: string): string => {
  const next = URL.parse(link, from.href);
  if (next === null || next.origin !== base.origin || next.username !== '' || !next.pathname.startsWith(`${base.pathname}referrers/`)) {
    throw badReferrers(what, `the next page is said to be elsewhere: ${quotedText(link)}`);
  }
  return next.href;
};

const badReferrers = (what: string, detail: string): RegistryError =>
  new RegistryError({
    code: 'RegistryAnswerInvalid',
    summary: `${what}: the list cannot be relied on`,
    detail,
    nextSteps: ['look at the registry: what it lists may be only a part'],
  });

const tooLarge = (what: string, size: number, maxBytes: number): RegistryError =>
  new RegistryError({
    code: 'ContentTooLarge',
    summary: `${what} is ${size} bytes long, and at most ${maxBytes} are read of such a thing`,
    nextSteps: ['whatever that is, it is not what was asked for: look at the image'],
  });
