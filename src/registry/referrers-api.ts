import { isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import { isWebPage, notARegistry, refuseCompressed } from './answer-trouble.ts';
import { readDescriptors } from './descriptor.ts';
import { readBody } from './http/body.ts';
import type { WireAnswer } from './http/exchange.ts';
import { nextLink } from './http/link.ts';
import type { Descriptor } from './image-source.ts';
import { maxManifestBytes, maxReferrerPages, maxReferrers } from './limits.ts';
import { ociIndexMediaType } from './media-types.ts';
import { askPlace, type Place } from './place.ts';
import { quotedText } from './quoted-text.ts';
import { RegistryError } from './registry-error.ts';

/**
 * What a place lists, all pages of it. `undefined`: it has no such API.
 *
 * Source: OCI Distribution specification 1.1, "Listing Referrers".
 */
export const listByApi = async (
  place: Place,
  digest: string,
  what: string,
  signal: AbortSignal,
): Promise<readonly Descriptor[] | undefined> => {
  const found: Descriptor[] = [];
  let path = `referrers/${digest}`;
  for (let page = 1; ; page++) {
    const question = { purpose: 'referrers', path, what, accept: ociIndexMediaType, absent: [404, 405, 501] } as const;
    const answer = await askPlace(place, question, signal);
    if (answer === undefined) {
      if (page > 1) throw unreliable(what, 'a page that it named itself is not there');
      return undefined;
    }
    const next = nextLink(answer.header('link'));
    const filtered = answer.header('oci-filters-applied');
    found.push(...(await readPage(answer, what)));
    if (filtered !== undefined && filtered !== '') throw unreliable(what, `it left some out, unasked: ${quotedText(filtered)}`);
    if (found.length > maxReferrers) throw unreliable(what, `there are more than ${maxReferrers}`);
    if (next === undefined) return found;
    if (page >= maxReferrerPages) throw unreliable(what, `there are more than ${maxReferrerPages} pages`);
    path = nextPage(next, answer.url, place.endpoint.base, what);
  }
};

const readPage = async (answer: WireAnswer, what: string): Promise<readonly Descriptor[]> => {
  refuseCompressed(answer, what);
  if (isWebPage(answer)) throw await notARegistry(answer, what);
  const body = new TextDecoder().decode(await readBody(answer, maxManifestBytes, what));
  const document = parseObject(body);
  const listed = document === undefined ? undefined : readDescriptors(document, 'manifests');
  if (listed === undefined) {
    const type = quotedText(answer.header('content-type') ?? 'without a content type');
    throw unreliable(what, `it answered with something that is no index (${type}): ${quotedText(body)}`);
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
    throw unreliable(what, `the next page is said to be elsewhere: ${quotedText(link)}`);
  }
  return next.href;
};

const unreliable = (what: string, detail: string): RegistryError =>
  new RegistryError({
    code: 'RegistryAnswerInvalid',
    summary: `${what}: the list cannot be relied on`,
    detail,
    nextSteps: ['look at the registry: what it lists may be only a part'],
  });
