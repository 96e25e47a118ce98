import { isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import { algorithmOf, digestOf, isDigest } from './digest.ts';
import type { Manifest } from './image-source.ts';
import { isIndexMediaType, isManifestMediaType, isSchema1 } from './media-types.ts';
import { quotedText } from './quoted-text.ts';
import { RegistryError } from './registry-error.ts';

export interface ManifestBytes {
  readonly bytes: Uint8Array;
  /** What the source calls it: the answer's Content-Type, or the descriptor's type. */
  readonly statedType: string | undefined;
  /** What they have to be. */
  readonly digest: string | undefined;
  /** What the source says that they are, where they were asked for by tag. */
  readonly statedDigest?: string | undefined;
  /** For messages: `manifest sm70 of registry.example/llm/candle`. */
  readonly what: string;
}

/**
 * Checks an index or a manifest: digest first, then that it is JSON, then that document and source agree on what it is. A document that
 * could be read both as an index and as a manifest is refused: two readers would see two images.
 *
 * @throws RegistryError `DigestMismatch`, `RegistryAnswerInvalid`.
 *
 * Source: OCI Image specification 1.1, "Image index", "Image manifest"; CVE-2021-41190.
 */
export const readManifest = ({ bytes, statedType, digest, statedDigest, what }: ManifestBytes): Manifest => {
  const claimed = digest ?? (statedDigest !== undefined && isDigest(statedDigest) ? statedDigest : undefined);
  const actual = digestOf(bytes, claimed === undefined ? 'sha256' : algorithmOf(claimed));
  if (claimed !== undefined && claimed !== actual) throw mismatch(what, claimed, actual);
  const document = parse(bytes, statedType, what);
  return { digest: actual, size: bytes.length, bytes, document, mediaType: mediaTypeOf(document, statedType, what) };
};

export const mismatch = (what: string, expected: string, actual: string): RegistryError =>
  new RegistryError({
    code: 'DigestMismatch',
    summary: `the content of ${what} is not what its digest says`,
    detail: `expected ${expected}\nreceived ${actual}`,
    nextSteps: [
      'ask again: if it stays so, the source, a mirror or a proxy on the way changes contents, and nothing from there is to be believed',
    ],
  });

const parse = (bytes: Uint8Array, statedType: string | undefined, what: string): JsonObject => {
  const text = new TextDecoder().decode(bytes);
  const type = statedType === undefined ? '' : ` (${quotedText(statedType)})`;
  try {
    const document: unknown = JSON.parse(text);
    if (isJsonObject(document)) return document;
  } catch (cause) {
    throw invalid(`${what} is not JSON${type}`, quotedText(text), cause);
  }
  throw invalid(`${what} is JSON, but no object${type}`, quotedText(text));
};

const mediaTypeOf = (document: JsonObject, statedType: string | undefined, what: string): string => {
  const own = document['mediaType'];
  if (own !== undefined && typeof own !== 'string') throw invalid(`${what} has a mediaType that is no text`);
  const stated = statedType?.split(';')[0]?.trim().toLowerCase();
  const type = own ?? stated ?? '';
  if (isSchema1(type) || document['schemaVersion'] === 1) {
    throw invalid(
      `${what} is in Docker's first format, whose digest says nothing about the bytes`,
      undefined,
      undefined,
      'push the image again with a present tool',
    );
  }
  if (!isIndexMediaType(type) && !isManifestMediaType(type)) {
    throw invalid(
      `${what} is no index and no image manifest: ${type === '' ? 'nothing says what it is' : `it is called ${quotedText(type)}`}`,
    );
  }
  // A registry that does not know the type says application/json, octet-stream or text/plain; one that names another manifest type lies.
  const statesAnother = stated !== undefined && stated !== type && !/^(application\/(json|octet-stream)|text\/plain)$/.test(stated);
  if (statesAnother) throw invalid(`${what} calls itself ${quotedText(type)}, and the source calls it ${quotedText(stated)}`);
  const hasManifests = document['manifests'] !== undefined;
  const hasContent = document['layers'] !== undefined || document['config'] !== undefined;
  if (hasManifests && hasContent) throw invalid(`${what} can be read both as an index and as an image`);
  if (isIndexMediaType(type) ? hasContent : hasManifests)
    throw invalid(`${what} calls itself ${type}, and has the fields of the other kind`);
  return type;
};

const invalid = (
  summary: string,
  detail?: string,
  cause?: unknown,
  nextStep = 'is this the right place, and a registry? curl -v it',
): RegistryError =>
  new RegistryError({
    code: 'RegistryAnswerInvalid',
    summary,
    ...(detail === undefined || detail === '' ? {} : { detail: `it begins: ${detail}` }),
    nextSteps: [nextStep],
    ...(cause === undefined ? {} : { cause }),
  });
