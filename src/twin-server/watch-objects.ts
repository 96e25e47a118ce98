import { isApiError } from '../cluster/api-error.ts';
import type { WatchEvent } from '../cluster/cluster.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { apiVersionOf } from '../kubernetes/resource.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { matcherOf } from '../twin/api/selection.ts';
import { watchStore } from '../twin/api/watch.ts';
import type { ServedResource } from './discovery/served-resources.ts';
import type { ListOptions } from './list-options.ts';
import { objectView, type ViewOptions } from './representation.ts';
import { statusBody } from './status-body.ts';

/** About once a minute of real time, for clients that ask for them. */
const bookmarkEveryMs = 60_000;

export interface WatchRequest {
  readonly store: MemoryStore;
  readonly served: ServedResource;
  readonly options: ListOptions;
  readonly view: Omit<ViewOptions, 'now'>;
  readonly signal: AbortSignal;
}

/**
 * The events of a watch as they go over the wire.
 *
 * A version too long ago ends it by an ERROR event, as on a server with a watch cache; what cannot be read is thrown before the first.
 * Source: Kubernetes API concepts, "Efficient detection of changes", "Streaming lists".
 */
export const watchObjects = async (request: WatchRequest): Promise<AsyncIterable<unknown>> => {
  const { store, options, signal } = request;
  matcherOf('watch', options.selection); // throws for what cannot be read
  const initial = options.sendInitialEvents ? initialEvents(request) : [];
  const from = options.sendInitialEvents ? String(store.version) : options.resourceVersion;
  const events = watchStore(store, options.selection, from, signal, { bookmarks: false });
  const first = events.next();
  // What a watch refuses it refuses at once; otherwise the first event may be long in coming.
  const refusal = await Promise.race([
    first.then(
      () => undefined,
      (error: unknown) => error,
    ),
    new Promise((resolve) => setImmediate(resolve, undefined)),
  ]);
  if (refusal !== undefined && !isApiError(refusal, 410)) throw refusal;
  return written(request, initial, first, events);
};

const initialEvents = ({ store, served, options }: WatchRequest): readonly WireEvent[] => [
  ...store.list(options.selection).map((object): WireEvent => ({ type: 'ADDED', object })),
  ...(options.bookmarks ? [bookmarkOf(served, store, { 'k8s.io/initial-events-end': 'true' })] : []),
];

type WireEvent =
  | { readonly type: Exclude<WatchEvent['type'], 'BOOKMARK'>; readonly object: KubernetesObject }
  | { readonly type: 'BOOKMARK'; readonly object: Bookmark };

/** No object: it has nothing but the version that the watch has come to. */
interface Bookmark {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly resourceVersion: string; readonly annotations?: Readonly<Record<string, string>> };
}

const bookmarkOf = ({ resource }: ServedResource, store: MemoryStore, annotations?: Readonly<Record<string, string>>): WireEvent => ({
  type: 'BOOKMARK',
  object: {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: { resourceVersion: String(store.version), ...(annotations === undefined ? {} : { annotations }) },
  },
});

async function* written(
  request: WatchRequest,
  initial: readonly WireEvent[],
  first: Promise<IteratorResult<WatchEvent, void>>,
  events: AsyncGenerator<WatchEvent, void>,
): AsyncGenerator<unknown, void> {
  const { store, served, options, signal } = request;
  const show = viewer(request);
  for (const event of initial) yield show(event);
  const ticks = new Ticks(bookmarkEveryMs, signal);
  try {
    for (let next = first; ;) {
      const result = options.bookmarks ? await Promise.race([next, ticks.next()]) : await next;
      if (result === 'tick') {
        yield show(bookmarkOf(served, store));
        continue;
      }
      if (result.done === true) return;
      if (result.value.type !== 'BOOKMARK') yield show(result.value);
      next = events.next();
    }
  } catch (error) {
    if (!isApiError(error)) throw error;
    yield { type: 'ERROR', object: statusBody(error) };
  } finally {
    ticks.stop();
    void events.return();
  }
}

/** A table's columns are said once. Source: apiserver `pkg/endpoints/handlers/response.go`, `NoHeaders`. */
const viewer = ({ store, served, view }: WatchRequest): ((event: WireEvent) => unknown) => {
  let isFirst = true;
  return (event) => {
    if (event.type === 'BOOKMARK') return event;
    const { type, object } = event;
    const shown = objectView(served, object, { ...view, now: store.clock.now() });
    if (view.as !== 'Table') return { type, object: shown };
    const table = isFirst ? shown : { ...(shown as object), columnDefinitions: null };
    isFirst = false;
    return { type, object: table };
  };
};

/** Real time, which the simulated cluster's does not follow when nobody waits for it. */
class Ticks {
  private readonly timer: NodeJS.Timeout;
  private waiting: ((tick: 'tick') => void) | undefined;

  constructor(everyMs: number, signal: AbortSignal) {
    this.timer = setInterval(() => this.waiting?.('tick'), everyMs);
    this.timer.unref();
    signal.addEventListener('abort', () => clearInterval(this.timer), { once: true });
  }

  next(): Promise<'tick'> {
    return new Promise((resolve) => (this.waiting = resolve));
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
