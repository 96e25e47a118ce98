import { delay, type Clock } from '../clock/clock.ts';
import { PoimenError } from '../errors/poimen-error.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Selection } from '../kubernetes/reference.ts';
import { qualifiedName } from '../kubernetes/resource.ts';
import { isOlderVersion } from '../kubernetes/resource-version.ts';
import { ApiError, ConnectionError, isApiError } from './api-error.ts';
import { backoffMs } from './backoff.ts';
import type { Cluster, ListOptions, ObjectList } from './cluster.ts';
import { SelectionCache, type ObjectChange } from './selection-cache.ts';

export interface ListWatchOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly selection: Selection;
  /** What to keep of each object, as in `ListOptions`; one that it leaves out is as good as gone. */
  readonly keep?: ListOptions['keep'];
  /** Called after `items` has changed: once for each object, and `LISTED` at the end of each list. Must not throw. */
  readonly changed: (change: SelectionChange) => void;
  /** Called with what is wrong and what happens next, each time that a request fails. */
  readonly trouble?: (message: string) => void;
}

export type SelectionChange = ObjectChange | { readonly type: 'LISTED' };

const firstBackoffMs = 50;
const longestBackoffMs = 5_000;
/** A watch that ended sooner and told nothing counts as failed: a server that closes at once is not asked in a tight loop. */
const shortestWatchMs = 1_000;
const outdatedListTries = 5;

/**
 * Keeps one selection up to date: a list, then watches, and a list again where a watch cannot go on. It never gives up: whatever
 * fails is tried again, 50 ms later at first, 5 s at the most, until it is stopped. Timers are set on the clock only after a failure, so
 * that on a twin virtual time stands still while it waits.
 *
 * Source: Kubernetes API concepts, "Efficient detection of changes"; client-go's Reflector.
 */
export class ListWatch {
  private readonly options: ListWatchOptions;
  private readonly cache = new SelectionCache();
  private readonly stopping = new AbortController();
  /** Since the last event. */
  private failures = 0;

  constructor(options: ListWatchOptions) {
    this.options = options;
  }

  /** By `namespace/name`; the namespace is empty for cluster-scoped objects. */
  get items(): ReadonlyMap<string, KubernetesObject> {
    return this.cache.items;
  }

  get resourceVersion(): string {
    return this.cache.resourceVersion;
  }

  /**
   * Resolves when the first list is in; watching goes on until `stop` or the signal.
   *
   * @throws ApiError, ConnectionError as the first list does.
   */
  async start(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => this.stopping.abort(signal.reason), { once: true, signal: this.stopping.signal });
    await this.relist();
    void this.follow();
  }

  /**
   * One consistent list now; the watch goes on beside it.
   *
   * @throws ApiError, ConnectionError as a list does, and ConnectionError when the server answers with an older state than one it has shown already.
   */
  async relist(): Promise<void> {
    this.merge(await this.listFresh());
  }

  stop(): void {
    this.stopping.abort();
  }

  private async listFresh(): Promise<ObjectList> {
    const { cluster, selection, clock, keep } = this.options;
    const signal = this.stopping.signal;
    for (let tries = 1; ; tries++) {
      const known = this.cache.resourceVersion;
      const list = await cluster.list(selection, keep === undefined ? { signal } : { signal, keep });
      if (isOlderVersion(list.resourceVersion, known) !== true) return list;
      const message = `the server answered with an older state (${list.resourceVersion}) than it has shown before (${known})`;
      if (tries === outdatedListTries) throw new ConnectionError({ verb: 'list', ...this.requestParts() }, message);
      await delay(clock, backoffMs(tries, firstBackoffMs, longestBackoffMs), signal);
    }
  }

  private merge(list: ObjectList): void {
    if (this.stopping.signal.aborted) return;
    for (const change of this.cache.mergeList(list)) this.options.changed(change);
    this.options.changed({ type: 'LISTED' });
  }

  private async follow(): Promise<void> {
    const { clock, trouble } = this.options;
    const signal = this.stopping.signal;
    let listFirst = false;
    while (!signal.aborted) {
      const startedAt = clock.monotonicMs();
      try {
        if (listFirst) await this.relist();
        listFirst = false;
        if (await this.watchOnce()) continue; // closed by the server after its time
        this.failures++;
      } catch (error) {
        if (signal.aborted) return;
        if (!isFailedRequest(error)) throw error; // a bug: not to be hidden by trying again
        const expired = isApiError(error, 410);
        listFirst ||= expired || isTooLargeVersion(error);
        if (expired && clock.monotonicMs() - startedAt >= shortestWatchMs) continue; // as happens to a quiet selection
        this.failures++;
        trouble?.(`${error.message}; trying again in ${this.pauseMs()} ms`);
      }
      await delay(clock, this.pauseMs(), signal).catch(() => undefined);
    }
  }

  private pauseMs(): number {
    return backoffMs(this.failures, firstBackoffMs, longestBackoffMs);
  }

  /** One watch to its end. True when it told something or lasted. */
  private async watchOnce(): Promise<boolean> {
    const { cluster, clock, selection, changed } = this.options;
    const { signal } = this.stopping;
    const startedAt = clock.monotonicMs();
    let told = false;
    for await (const event of cluster.watch(selection, { resourceVersion: this.cache.resourceVersion, signal })) {
      if (signal.aborted) return true;
      told = true;
      this.failures = 0;
      if (event.type === 'BOOKMARK') this.cache.moveTo(event.resourceVersion);
      else for (const change of this.cache.mergeEvent(this.reduced(event))) changed(change);
    }
    return told || clock.monotonicMs() - startedAt >= shortestWatchMs;
  }

  private reduced({ type, object }: ObjectChange): ObjectChange {
    const { keep } = this.options;
    const kept = keep === undefined ? object : keep(object);
    return kept === undefined ? { type: 'DELETED', object } : { type, object: kept };
  }

  private requestParts(): { readonly resource: string; readonly namespace?: string } {
    const { resource, namespace } = this.options.selection;
    return { resource: qualifiedName(resource), ...(namespace === undefined ? {} : { namespace }) };
  }
}

/** PoimenError: the live client could not get credentials. */
const isFailedRequest = (error: unknown): error is ApiError | ConnectionError | PoimenError =>
  error instanceof ApiError || error instanceof ConnectionError || error instanceof PoimenError;

/** The server is behind the version that the watch asked for: it was restored, or another one of several answered. */
const isTooLargeVersion = (error: unknown): boolean =>
  isApiError(error, 504, 500) &&
  (/too large resource version/i.test(error.message) ||
    error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true);
