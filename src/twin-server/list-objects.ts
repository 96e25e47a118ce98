import type { KubernetesObject } from '../kubernetes/object.ts';
import { qualifiedName, type Resource } from '../kubernetes/resource.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { matcherOf } from '../twin/api/selection.ts';
import { formatContinueToken, readContinueToken } from './continue-token.ts';
import type { ListOptions } from './list-options.ts';
import { badRequest, expired, versionTooLarge } from './refusals.ts';
import type { ListMetadata } from './representation.ts';

export interface Page {
  readonly items: readonly KubernetesObject[];
  readonly metadata: ListMetadata;
}

/**
 * A list, or one page of it. All pages are of the version of the first one.
 *
 * Throws `ApiError` 400, 410 when that version is too long ago, 504 for a version that is still to come.
 * Source: Kubernetes API concepts, "Retrieving large results sets in chunks", "Resource versions".
 */
export const listObjects = (store: MemoryStore, options: ListOptions): Page => {
  const { selection, limit, continueToken, resourceVersion, match } = options;
  const token = continueToken === '' ? undefined : readContinueToken(continueToken);
  const wanted = readVersion(resourceVersion);
  if (wanted > store.version) throw versionTooLarge(wanted, store.version);
  const exact = token?.version ?? (match === 'Exact' ? wanted : store.version);
  const isSelected = matcherOf('list', selection);
  const all = objectsAt(store, selection.resource, exact, token === undefined ? tooOldList : tooOldToken);
  const matching = all.filter(isSelected);
  const left = token === undefined ? matching : matching.filter((object) => keyOf(object) > token.after);
  const items = limit > 0 ? left.slice(0, limit) : left;
  const last = items.at(-1);
  const more = left.length - items.length;
  const isNarrowed = selection.labelSelector !== undefined || selection.fieldSelector !== undefined;
  return {
    items,
    metadata: {
      resourceVersion: String(exact),
      ...(more > 0 && last !== undefined ? { continue: formatContinueToken({ version: exact, after: keyOf(last) }) } : {}),
      ...(more > 0 && !isNarrowed ? { remainingItemCount: more } : {}),
    },
  };
};

const readVersion = (text: string): number => {
  if (!/^\d*$/.test(text))
    throw badRequest(
      `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  return Number(text);
};

const tooOldList = 'The resourceVersion for the provided list is too old.';

const tooOldToken =
  'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.';

const keyOf = ({ metadata: { namespace, name } }: KubernetesObject): string => `${namespace ?? ''}/${name}`;

/** What was stored at a version: what there is now, with everything undone that happened since. */
const objectsAt = (store: MemoryStore, resource: Resource, version: number, tooOld: string): readonly KubernetesObject[] => {
  const now = store.list({ resource });
  if (version === store.version) return now;
  const since = store.history.since(version);
  if (since === undefined) throw expired(tooOld);
  const name = qualifiedName(resource);
  const objects = new Map(now.map((object) => [keyOf(object), object]));
  for (const { change, resource: changed } of since.toReversed()) {
    if (qualifiedName(changed) !== name) continue;
    if (change.before === undefined) objects.delete(keyOf(change.object));
    else objects.set(keyOf(change.before), change.before);
  }
  return [...objects].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object);
};
