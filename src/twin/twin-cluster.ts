import { ConnectionError, type ApiRequest } from '../cluster/api-error.ts';
import type {
  Cluster,
  ClusterIdentity,
  DeleteOptions,
  ListOptions,
  ObjectList,
  ReadOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../cluster/cluster.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { ApplyPatch, Patch } from '../kubernetes/patch.ts';
import type { ObjectReference, Selection } from '../kubernetes/reference.ts';
import { qualifiedName, resources, type Resource } from '../kubernetes/resource.ts';
import { reviewAccess } from './api/access-review.ts';
import type { MemoryStore } from './api/memory-store.ts';
import { applied, asSent, patched } from './api/patched.ts';
import { notServed, requestOf } from './api/refusals.ts';
import { fromScale, toScale } from './api/scale-subresource.ts';
import { watchStore } from './api/watch.ts';

export interface TwinClusterOptions {
  readonly store: MemoryStore;
  readonly identity: ClusterIdentity;
  /** Called before an accepted write is answered: makes it, and everything before it, durable. Throws when it cannot. */
  readonly persist?: () => void;
  readonly closed?: () => void;
}

/** The twin as a `Cluster`: what a client on the network would see of its API server. */
export const createTwinCluster = (options: TwinClusterOptions): Cluster => new TwinCluster(options);

class TwinCluster implements Cluster {
  readonly identity: ClusterIdentity;
  private readonly store: MemoryStore;
  private readonly persist: () => void;
  private readonly closed: () => void;
  private readonly closing = new AbortController();
  /** What was accepted could not be made durable: from then on what the store says is not true. */
  private failure: unknown;

  constructor({ store, identity, persist = () => undefined, closed = () => undefined }: TwinClusterOptions) {
    this.store = store;
    this.identity = identity;
    this.persist = persist;
    this.closed = closed;
  }

  async get(reference: ObjectReference, options: ReadOptions = {}): Promise<KubernetesObject | undefined> {
    this.begin(requestOf('get', reference), options.signal);
    return this.store.get(reference);
  }

  async list(selection: Selection, options: ListOptions = {}): Promise<ObjectList> {
    const { keep } = options;
    this.begin(requestOf('list', selection), options.signal);
    if (!this.store.catalog.has(selection.resource)) throw notServed('list', selection.resource);
    const objects = this.store.list(selection);
    return {
      items: keep === undefined ? objects : objects.flatMap((object) => keep(object) ?? []),
      resourceVersion: String(this.store.version),
    };
  }

  async *watch(selection: Selection, options: WatchOptions): AsyncGenerator<WatchEvent, void> {
    this.begin(requestOf('watch', selection), undefined);
    yield* watchStore(this.store, selection, options.resourceVersion, AbortSignal.any([options.signal, this.closing.signal]));
  }

  async create(resource: Resource, object: KubernetesObject, options: WriteOptions): Promise<KubernetesObject> {
    this.begin(requestOf('create', { resource, name: object.metadata.name }), options.signal);
    const sent = asSent(object);
    if (qualifiedName(resource) === qualifiedName(resources.selfSubjectAccessReviews)) return reviewAccess(sent);
    return this.accept(() => this.store.create(resource, sent, options));
  }

  async replace(resource: Resource, object: KubernetesObject, options: WriteOptions): Promise<KubernetesObject> {
    this.begin(requestOf('update', { resource, name: object.metadata.name }), options.signal);
    return this.accept(() => this.store.update(resource, asSent(object), options));
  }

  async patch(
    reference: ObjectReference,
    patch: Patch | ApplyPatch,
    options: WriteOptions & { readonly subresource?: 'status' | 'scale' },
  ): Promise<KubernetesObject> {
    const { subresource, dryRun = false, fieldManager, signal } = options;
    this.begin(requestOf('patch', reference), signal);
    if (patch.type === 'apply') return this.accept(() => applied(this.store, reference, patch, options));
    const apply = (object: KubernetesObject): KubernetesObject => patched(reference, object, patch);
    return this.accept(() => {
      if (subresource !== 'scale')
        return this.store.change(reference, apply, { dryRun, fieldManager, ...(subresource === undefined ? {} : { subresource }) });
      const mode = { dryRun, fieldManager, subresource };
      return toScale(this.store.change(reference, (object) => fromScale(object, apply(toScale(object))), mode));
    });
  }

  async delete(reference: ObjectReference, options: DeleteOptions = {}): Promise<void> {
    this.begin(requestOf('delete', reference), options.signal);
    this.accept(() => this.store.delete(reference, options));
  }

  async discover(group: string, options: ReadOptions = {}): Promise<readonly Resource[]> {
    this.begin({ verb: 'discover', resource: group }, options.signal);
    return this.store.catalog.inGroup(group);
  }

  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    this.closed();
  }

  private begin(request: ApiRequest, signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    if (this.closing.signal.aborted) throw new ConnectionError(request, 'the twin is closed');
  }

  private accept<Result>(write: () => Result): Result {
    const result = write();
    try {
      this.persist();
    } catch (error) {
      this.failure = error;
      throw error;
    }
    return result;
  }
}
