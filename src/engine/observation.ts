import type { Clock } from '../clock/clock.ts';
import { isApiError } from '../cluster/api-error.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { ListWatch } from '../cluster/list-watch.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { selectionKey, type ObjectReference, type Selection } from '../kubernetes/reference.ts';
import { qualifiedName, type Resource } from '../kubernetes/resource.ts';
import type { ClusterState, Unavailable } from '../steps/step-kind.ts';

export interface ObservationRequest {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Kept up to date until the observation is closed. */
  readonly watched: readonly Selection[];
  /** Listed when the observation is opened, and again with `refresh`. */
  readonly once: readonly Selection[];
  /** Told when a watch has trouble; it goes on by itself. */
  readonly trouble?: (message: string) => void;
}

type Source =
  | { readonly kind: 'watched'; readonly selection: Selection; readonly listWatch: ListWatch }
  | {
      readonly kind: 'once';
      readonly selection: Selection;
      items: ReadonlyMap<string, KubernetesObject>;
      unavailable: Unavailable | undefined;
    };

/**
 * What is known of the cluster during a run: the selections that its steps name, kept up to date by watches.
 *
 * A selection that may not be listed, or whose resource the server does not know, is an answer where it is listed once and an
 * error where it has to be watched.
 */
export class Observation implements ClusterState {
  private readonly sources = new Map<string, Source>();
  private readonly waiters = new Set<() => void>();
  private readonly listeners = new Set<() => void>();
  private readonly request: ObservationRequest;
  private changes = 0;

  private constructor(request: ObservationRequest) {
    this.request = request;
  }

  /** Throws what the first list of a watched selection throws. */
  static async open(request: ObservationRequest, signal?: AbortSignal): Promise<Observation> {
    const observation = new Observation(request);
    try {
      await Promise.all([...observation.startWatches(signal), observation.refresh(signal)]);
    } catch (error) {
      observation.close();
      throw error;
    }
    return observation;
  }

  private startWatches(signal: AbortSignal | undefined): readonly Promise<void>[] {
    const { cluster, clock, trouble } = this.request;
    const started: Promise<void>[] = [];
    for (const selection of this.request.watched) {
      const key = selectionKey(selection);
      if (this.sources.has(key)) continue;
      const listWatch = new ListWatch({
        cluster,
        clock,
        selection,
        changed: () => this.changed(),
        ...(trouble === undefined ? {} : { trouble }),
      });
      this.sources.set(key, { kind: 'watched', selection, listWatch });
      started.push(listWatch.start(signal));
    }
    return started;
  }

  /** Lists again what is not watched. */
  async refresh(signal?: AbortSignal): Promise<void> {
    const wanted = new Map(this.request.once.map((selection) => [selectionKey(selection), selection]));
    await Promise.all(
      [...wanted].map(async ([key, selection]) => {
        if (this.sources.get(key)?.kind === 'watched') return;
        this.sources.set(key, await listOnce(this.request.cluster, selection, signal));
      }),
    );
  }

  /** One consistent list of each selection, now: for a verdict that a stale watch could mislead. */
  async confirm(selections: readonly Selection[]): Promise<void> {
    await Promise.all(
      selections.map(async (selection) => {
        const source = this.source(selection);
        if (source.kind === 'watched') await source.listWatch.relist();
      }),
    );
  }

  get now(): number {
    return this.request.clock.now();
  }

  /** Grows with every change. */
  get version(): number {
    return this.changes;
  }

  get<T>(reference: ObjectReference): T | undefined {
    const key = `${reference.namespace ?? ''}/${reference.name}`;
    for (const source of this.sources.values()) {
      if (!covers(source.selection, reference)) continue;
      const object = itemsOf(source).get(key);
      // Served objects are unknown JSON; a step kind names the fields it reads.
      if (object !== undefined) return object as T;
    }
    return undefined;
  }

  list<T>(selection: Selection): readonly T[] {
    return [...itemsOf(this.source(selection)).values()] as readonly unknown[] as readonly T[];
  }

  unavailable(selection: Selection): Unavailable | undefined {
    const source = this.source(selection);
    return source.kind === 'once' ? source.unavailable : undefined;
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

  /** Resolves at the first change after `version`, at `untilMs` on the clock, or when the signal aborts: whichever is first. */
  next(version: number, untilMs: number, signal: AbortSignal): Promise<void> {
    if (this.changes !== version || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.waiters.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = this.request.clock.after(untilMs - this.request.clock.now(), wake);
      this.waiters.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  private changed(): void {
    this.changes++;
    for (const listener of this.listeners) listener();
    const woken = [...this.waiters]; // waking takes one out, and may put another in
    for (const wake of woken) wake();
  }

  close(): void {
    for (const source of this.sources.values()) if (source.kind === 'watched') source.listWatch.stop();
  }
}

const itemsOf = (source: Source): ReadonlyMap<string, KubernetesObject> =>
  source.kind === 'watched' ? source.listWatch.items : source.items;

const covers = (selection: Selection, reference: ObjectReference): boolean =>
  qualifiedName(selection.resource) === qualifiedName(reference.resource) &&
  (selection.namespace === undefined || selection.namespace === reference.namespace);

const listOnce = async (cluster: Cluster, selection: Selection, signal: AbortSignal | undefined): Promise<Source> => {
  try {
    const { items } = await cluster.list(selection, signal === undefined ? {} : { signal });
    const keyed = new Map(items.map((item) => [`${item.metadata.namespace ?? ''}/${item.metadata.name}`, item]));
    return { kind: 'once', selection, items: keyed, unavailable: undefined };
  } catch (error) {
    if (!isApiError(error, 403, 404)) throw error;
    // Who may not list what a server does not even have is told "forbidden" too.
    const isServed = error.status.code === 403 && (await serves(cluster, selection.resource, signal));
    const unavailable = { reason: isServed ? ('forbidden' as const) : ('notServed' as const), message: error.status.message };
    return { kind: 'once', selection, items: new Map(), unavailable };
  }
};

const serves = async (cluster: Cluster, { group, plural }: Resource, signal: AbortSignal | undefined): Promise<boolean> => {
  try {
    const served = await cluster.discover(group, signal === undefined ? {} : { signal });
    return served.some((resource) => resource.plural === plural);
  } catch (error) {
    if (isApiError(error)) return true; // nobody knows, so nobody may say that there is none
    throw error;
  }
};
