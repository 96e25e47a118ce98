import type { ApiError } from '../../cluster/api-error.ts';
import type { WatchEvent } from '../../cluster/cluster.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Selection } from '../../kubernetes/reference.ts';
import { qualifiedName } from '../../kubernetes/resource.ts';
import type { Commit } from './change-history.ts';
import type { MemoryStore } from './memory-store.ts';
import { expired, internalError, notServed, requestOf } from './refusals.ts';
import { matcherOf } from './selection.ts';

/** A server sends a bookmark about once a minute. */
const bookmarkEveryMs = 60_000;

/**
 * The events of one selection after a version, until the signal aborts. Bookmarks come with virtual time and do not move it;
 * whoever knows another time goes without.
 *
 * Throws `ApiError` 410 when the version is too long ago.
 * Source: Kubernetes API concepts, "Efficient detection of changes".
 */
export async function* watchStore(
  store: MemoryStore,
  selection: Selection,
  resourceVersion: string,
  signal: AbortSignal,
  { bookmarks = true }: { readonly bookmarks?: boolean } = {},
): AsyncGenerator<WatchEvent, void> {
  if (!store.catalog.has(selection.resource)) throw notServed('watch', selection.resource);
  const toEvent = eventsOf(selection);
  const waiting = startingWith(store, selection, resourceVersion, toEvent);
  let wake: () => void = () => undefined;
  const push = (event: WatchEvent | undefined): void => {
    if (event === undefined) return;
    waiting.push(event);
    wake();
  };
  const from = Number(resourceVersion);
  const stopListening = store.onCommit((commit) => {
    if (commit.version > from) push(toEvent(commit));
  });
  const nextBookmark = (): (() => void) =>
    store.clock.schedule(bookmarkEveryMs, () => {
      push({ type: 'BOOKMARK', resourceVersion: String(store.version) });
      cancelBookmark = nextBookmark();
    });
  let cancelBookmark = bookmarks ? nextBookmark() : (): void => undefined;
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelBookmark();
    stopListening();
  }
}

/** What a watch is told first. From version `0` or none: every object there is. */
const startingWith = (
  store: MemoryStore,
  selection: Selection,
  resourceVersion: string,
  toEvent: (commit: Commit) => WatchEvent | undefined,
): WatchEvent[] => {
  if (resourceVersion === '' || resourceVersion === '0') return store.list(selection).map((object) => ({ type: 'ADDED', object }));
  if (!/^\d+$/.test(resourceVersion)) throw unreadableVersion(selection, resourceVersion);
  const missed = store.history.since(Number(resourceVersion));
  if (missed === undefined) throw expired(selection.resource, Number(resourceVersion), store.history.oldestVersion);
  return missed.map(toEvent).filter((event) => event !== undefined);
};

const unreadableVersion = (selection: Selection, version: string): ApiError => {
  const shown = JSON.stringify(version);
  return internalError(
    requestOf('watch', selection),
    `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`,
  );
};

/** An object that comes to match a selector is added for its watcher, and one that stops matching is deleted, as it last matched. */
const eventsOf = (selection: Selection): ((commit: Commit) => WatchEvent | undefined) => {
  const name = qualifiedName(selection.resource);
  const matches = matcherOf('watch', selection);
  return ({ resource, change: { type, object, before } }) => {
    if (qualifiedName(resource) !== name) return undefined;
    const didMatch = before !== undefined && matches(before);
    if (type === 'DELETED') return didMatch ? { type, object } : undefined;
    const doesMatch = matches(object);
    if (doesMatch) return { type: didMatch ? 'MODIFIED' : 'ADDED', object };
    return didMatch ? { type: 'DELETED', object: atVersionOf(before, object) } : undefined;
  };
};

const atVersionOf = (object: KubernetesObject, { metadata: { resourceVersion = '' } }: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});
