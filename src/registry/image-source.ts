import type { Readable } from 'node:stream';
import type { JsonObject } from '../kubernetes/json.ts';

/**
 * Where images come from: a registry, or an OCI layout on disk. Whatever it returns has been hashed and is what its digest says.
 *
 * Every method returns `undefined` only when the source said that there is no such thing. Any other trouble (no answer, 401, 5xx, a digest
 * that does not match) is thrown: an error while looking is never "not there".
 *
 * Source: OCI Distribution specification 1.1; OCI Image Layout specification 1.1.
 */
export interface ImageSource {
  /** As a person names it: `registry.example/llm/candle`, `oci:images`. */
  readonly name: string;

  /** Of an index or a manifest. `reference` is a tag or a digest. */
  getManifest(reference: string, signal?: AbortSignal): Promise<Manifest | undefined>;

  /** Whole, into memory; refused where it is longer than `maxBytes`. For configs and attestations. */
  getBlob(blob: BlobDescriptor, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | undefined>;

  /** As a stream, as it is stored (compressed). The stream fails, instead of ending, where size or digest turn out different. */
  openBlob(blob: BlobDescriptor, signal?: AbortSignal): Promise<Readable | undefined>;

  /**
   * Manifests whose `subject` is this digest, by the referrers API and by the tag that stands in for it. What is listed is a claim of the
   * source: the caller compares `subject` once it has the manifest. `[]`: the source said that there are none.
   */
  listReferrers(digest: string, signal?: AbortSignal): Promise<readonly Descriptor[]>;
}

/** For whoever waits until a tag moves: asking whether it has is cheaper than asking what it names. */
export interface WatchedSource extends ImageSource {
  /** The digest that a tag is said to name now. Not always hashed: it tells only whether to look again. */
  peekDigest(tag: string, signal?: AbortSignal): Promise<string | undefined>;
}

export interface BlobDescriptor {
  /** `sha256:` and 64 hexadecimal digits, or another registered algorithm. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  /** The content itself, base64; not hashed yet. Where it is right, nothing is asked. */
  readonly data?: string;
}

/** Source: OCI Image specification 1.1, "Content descriptors". */
export interface Descriptor extends BlobDescriptor {
  readonly mediaType: string;
  readonly artifactType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly platform?: Platform;
}

/** Source: OCI Image specification 1.1, "Image index", `platform`. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
  readonly 'os.version'?: string;
}

export interface Manifest extends BlobDescriptor {
  /** From the document where it says so, else from the answer. */
  readonly mediaType: string;
  /** As sent; the digest is theirs. */
  readonly bytes: Uint8Array;
  readonly document: JsonObject;
}
