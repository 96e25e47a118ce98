import { momentOf, type Clock, type Moment } from '../clock/clock.ts';
import { ConnectionError, isApiError } from '../cluster/api-error.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { ListWatch } from '../cluster/list-watch.ts';
import { unansweredWords } from '../cluster/unanswered.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { selectionKey, type ObjectReference, type Selection } from '../kubernetes/reference.ts';
import { qualifiedName, type Resource } from '../kubernetes/resource.ts';
import type { ClusterState, Reading, Unavailable } from '../steps/step-kind.ts';

export interface ObservationRequest {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Kept up to date until the observation is closed. */
  readonly watched: readonly Reading[];
  /** Listed when the observation is opened, and again with `refresh`. */
  readonly once: readonly Reading[];
  /** What has to be listed besides, from what has been read so far. Pure. */
  readonly alsoOnce?: (state: ClusterState) => readonly Reading[];
  /** What has to be watched besides, asked after every change. Pure. */
  readonly alsoWatched?: (state: ClusterState) => readonly Reading[];
  /** Told when a watch has trouble; it goes on by itself. */
  readonly trouble?: (message: string) => void;
}

interface Watched {
  readonly kind: 'watched';
  readonly reading: Reading;
  readonly listWatch: ListWatch;
  /** Its first list is in, or cannot be had. */
  isRead: boolean;
  unavailable: Unavailable | undefined;
}

interface Once {
  readonly kind: 'once';
  readonly reading: Reading;
  readonly items: ReadonlyMap<string, KubernetesObject>;
  readonly unavailable: Unavailable | undefined;
}

type Source = Watched | Once;

/** From the nodes to the pods on them is one round; each round costs the time of one request. */
const mostRounds = 5;

/**
 * What is known of the cluster during a run: the selections that its steps name, kept up to date by watches.
 *
 * A selection that may not be listed, whose resource the server does not know, or to which it has no answer, is an answer where it is listed
 * once and an error where it has to be watched from the start.
 */
export class Observation implements ClusterState {
  private readonly sources = new Map<string, Source>();
  private readonly waiters = new Set<() => void>();
  private readonly listeners = new Set<() => void>();
  private readonly request: ObservationRequest;
  private changes = 0;
  private isOpen = false;

  private constructor(request: ObservationRequest) {
    this.request = request;
  }

  /** Throws what the first list of a watched selection throws. */
  static async open(request: ObservationRequest, signal?: AbortSignal): Promise<Observation> {
    const observation = new Observation(request);
    try {
      await Promise.all([...observation.startWatches(signal), observation.listAll(request.once, signal)]);
      await observation.listBesides(signal);
      observation.isOpen = true;
      observation.watchBesides();
    } catch (error) {
      observation.close();
      throw error;
    }
    return observation;
  }

  private startWatches(signal: AbortSignal | undefined): readonly Promise<void>[] {
    return this.request.watched.flatMap((reading) => (this.sources.has(selectionKey(reading)) ? [] : [this.watch(reading, signal)]));
  }

  private async watch(reading: Reading, signal: AbortSignal | undefined): Promise<void> {
    const { cluster, clock, trouble } = this.request;
    const listWatch = new ListWatch({
      cluster,
      clock,
      selection: reading,
      changed: ({ type }) => {
        if (source.isRead || type === 'LISTED') this.changed(); // once for all objects of the first list
      },
      ...(reading.keep === undefined ? {} : { keep: reading.keep }),
      ...(trouble === undefined ? {} : { trouble }),
    });
    const source: Watched = { kind: 'watched', reading, listWatch, isRead: false, unavailable: undefined };
    this.sources.set(selectionKey(reading), source);
    await listWatch.start(signal);
    source.isRead = true;
  }

  /** Lists again what is not watched. */
  async refresh(signal?: AbortSignal): Promise<void> {
    const known = [...this.sources.values()].flatMap((source) => (source.kind === 'once' ? [source.reading] : []));
    await this.listAll(known, signal);
    await this.listBesides(signal);
  }

  private async listBesides(signal: AbortSignal | undefined): Promise<void> {
    for (let round = 0; round < mostRounds; round++) {
      const unread = (this.request.alsoOnce?.(this) ?? []).filter((reading) => !this.sources.has(selectionKey(reading)));
      if (unread.length === 0) return;
      await this.listAll(unread, signal);
    }
  }

  private async listAll(readings: readonly Reading[], signal: AbortSignal | undefined): Promise<void> {
    const wanted = new Map(readings.map((reading) => [selectionKey(reading), reading]));
    await Promise.all(
      [...wanted].map(async ([key, reading]) => {
        if (this.sources.get(key)?.kind === 'watched') return;
        this.sources.set(key, await listOnce(this.request.cluster, reading, signal));
      }),
    );
  }

  /** In the background: a run does not wait for what it may only need to name a cause. */
  private watchBesides(): void {
    if (!this.isOpen) return;
    for (const reading of this.request.alsoWatched?.(this) ?? []) {
      const key = selectionKey(reading);
      if (this.sources.get(key)?.kind === 'watched') continue;
      this.watch(reading, undefined).then(
        () => this.changed(),
        (error: unknown) => void this.giveUp(key, reading, error),
      );
    }
  }

  /** What may not be read is an answer. Anything else may pass: the next change asks again. */
  private async giveUp(key: string, reading: Reading, error: unknown): Promise<void> {
    const source = this.sources.get(key);
    if (!this.isOpen || source?.kind !== 'watched') return;
    source.listWatch.stop();
    if (isApiError(error, 403, 404)) {
      source.unavailable = { reason: error.status.code === 403 ? 'forbidden' : 'notServed', message: error.status.message };
      source.isRead = true;
      return this.changed();
    }
    this.sources.delete(key);
    this.request.trouble?.(error instanceof Error ? error.message : `${reading.resource.plural} cannot be read`);
  }

  /**
   * One consistent list of each selection, now: for a verdict that a stale watch could mislead.
   *
   * @throws ApiError, ConnectionError as a list does; the reason of the signal.
   */
  async confirm(selections: readonly Selection[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const listed = Promise.all(
      selections.map(async (selection) => {
        const source = this.source(selection);
        if (source.kind === 'watched') await source.listWatch.relist();
      }),
    );
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
      listed.then(() => resolve(), reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  get now(): number {
    return this.request.clock.now();
  }

  get moment(): Moment {
    return momentOf(this.request.clock);
  }

  /** Grows with every change. */
  get version(): number {
    return this.changes;
  }

  get<T>(reference: ObjectReference): T | undefined {
    const key = `${reference.namespace ?? ''}/${reference.name}`;
    for (const source of this.sources.values()) {
      if (source.reading.keep !== undefined || !covers(source.reading, reference)) continue;
      const object = itemsOf(source).get(key);
      // Served objects are unknown JSON; a step kind names the fields it reads.
      if (object !== undefined) return object as T;
    }
    return undefined;
  }

  has(selection: Selection): boolean {
    const source = this.sources.get(selectionKey(selection));
    return source !== undefined && (source.kind === 'once' || source.isRead);
  }

  list<T>(selection: Selection): readonly T[] {
    return [...itemsOf(this.source(selection)).values()] as readonly unknown[] as readonly T[];
  }

  unavailable(selection: Selection): Unavailable | undefined {
    return this.source(selection).unavailable;
  }

  private source(selection: Selection): Source {
    const source = this.sources.get(selectionKey(selection));
    if (source === undefined) throw new Error(`no step declares that it reads ${selectionKey(selection)}`);
    return source;
  }

  /** Called on every change, at once. Returns how to stop. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves at the first change after `version`, at `untilMs` on the monotonic clock, or when the signal aborts: whichever is first. */
  next(version: number, untilMs: number, signal: AbortSignal): Promise<void> {
    if (this.changes !== version || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.waiters.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = this.request.clock.after(untilMs - this.request.clock.monotonicMs(), wake);
      this.waiters.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  private changed(): void {
    this.changes++;
    this.watchBesides();
    for (const listener of this.listeners) listener();
    const woken = [...this.waiters]; // waking takes one out, and may put another in
    for (const wake of woken) wake();
  }

  close(): void {
    this.isOpen = false;
    for (const source of this.sources.values()) if (source.kind === 'watched') source.listWatch.stop();
  }
}

const itemsOf = (source: Source): ReadonlyMap<string, KubernetesObject> =>
  source.kind === 'watched' ? source.listWatch.items : source.items;

const covers = (selection: Selection, reference: ObjectReference): boolean =>
  qualifiedName(selection.resource) === qualifiedName(reference.resource) &&
  (selection.namespace === undefined || selection.namespace === reference.namespace);

const listOnce = async (cluster: Cluster, reading: Reading, signal: AbortSignal | undefined): Promise<Source> => {
  const { keep } = reading;
  try {
    const { items } = await cluster.list(reading, { ...(signal === undefined ? {} : { signal }), ...(keep === undefined ? {} : { keep }) });
    const keyed = new Map(items.map((item) => [`${item.metadata.namespace ?? ''}/${item.metadata.name}`, item]));
    return { kind: 'once', reading, items: keyed, unavailable: undefined };
  } catch (error) {
    return { kind: 'once', reading, items: new Map(), unavailable: await whyUnavailable(cluster, reading.resource, error, signal) };
  }
};

const whyUnavailable = async (
  cluster: Cluster,
  resource: Resource,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<Unavailable> => {
  if (isApiError(error, 403, 404)) {
    // Who may not list what a server does not even have is told "forbidden" too.
    const isServed = error.status.code === 403 && (await serves(cluster, resource, signal));
    return { reason: isServed ? 'forbidden' : 'notServed', message: error.status.message };
  }
  const message = await unansweredWords(cluster, error, signal);
  if (message === undefined) throw error;
  return { reason: 'unanswered', message };
};

const serves = async (cluster: Cluster, { group, plural }: Resource, signal: AbortSignal | undefined): Promise<boolean> => {
  try {
    const served = await cluster.discover(group, signal === undefined ? {} : { signal });
    return served.some((resource) => resource.plural === plural);
  } catch (error) {
    if (isApiError(error) || error instanceof ConnectionError) return true; // nobody knows, so nobody may say that there is none
    throw error;
  }
};
