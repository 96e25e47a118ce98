import type { VirtualClock } from '../../clock/virtual-clock.ts';
import type { DeleteOptions } from '../../cluster/cluster.ts';
import { isBuiltIn } from '../../kubernetes/built-in-groups.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ObjectReference, Selection } from '../../kubernetes/reference.ts';
import { qualifiedName, resources, type Resource } from '../../kubernetes/resource.ts';
import { applyWithOwners, recordOwners, withEntries, type OwnerTracking, type RecordOwners } from './apply/owner-tracking.ts';
import { conflictError } from './apply/conflict-error.ts';
import { admitNew, admitStatus, admitUpdate, type AdmissionContext } from './admission.ts';
import { ChangeHistory, type Commit } from './change-history.ts';
import { decideDeletion, isDeletionComplete } from './deletion.ts';
import { freezeJson } from './json.ts';
import { rulesOf } from './kinds/rules.ts';
import { ObjectTable } from './object-table.ts';
import { alreadyExists, badRequest, denied, notFound, notServed, preconditionFailed, requestOf } from './refusals.ts';
import { ResourceCatalog } from './resource-catalog.ts';
import { matcherOf } from './selection.ts';
import type { Store, StoreChange, WrittenBy } from './store.ts';
import { formatTime } from './timestamp.ts';

export interface StoreOptions {
  /** UIDs, generated names and addresses follow from it. */
  readonly seed?: number;
  /** How many of the latest changes a watch can catch up on. */
  readonly historyLimit?: number;
  /** New objects carry from the beginning who owns their fields; others only once somebody has applied to them. Default `false`. */
  readonly tracksOwners?: boolean;
  /** What was stored when an earlier store of the same seed ended. */
  readonly restored?: StoreState;
}

export interface StoreState {
  readonly version: number;
  readonly objects: readonly { readonly resource: Resource; readonly object: KubernetesObject }[];
}

export interface WriteMode extends WrittenBy {
  /** Validated and answered, not stored. */
  readonly dryRun?: boolean;
}

/** The twin's API server: `Store` for its controllers, and what a client needs beyond it. */
export interface MemoryStore extends Store {
  readonly catalog: ResourceCatalog;
  /** The number of the latest commit: what a list answers as its resourceVersion. */
  readonly version: number;
  readonly history: ChangeHistory;

  create(resource: Resource, object: KubernetesObject, mode?: WriteMode): KubernetesObject;
  update(resource: Resource, object: KubernetesObject, mode?: WriteMode): KubernetesObject;
  /** Replaces the object by what `change` makes of it; `status` alone where asked. Through `scale`, only the number of replicas changes. */
  change(
    reference: ObjectReference,
    change: (before: KubernetesObject) => KubernetesObject,
    mode?: WriteMode & { readonly subresource?: 'status' | 'scale' },
  ): KubernetesObject;
  /** Merges a configuration into the object, or creates it. `force` takes the fields that others own with other values. */
  apply(
    reference: ObjectReference,
    configuration: KubernetesObject,
    mode: WriteMode & { readonly fieldManager: string; readonly force?: boolean; readonly subresource?: 'status' },
  ): KubernetesObject;
  delete(reference: ObjectReference, options?: DeletionOptions): void;

  /** Called after each commit, of whatever resource, in order. Returns how to stop. */
  onCommit(listener: (commit: Commit) => void): () => void;
  /** Every object there is, with its resource. */
  everything(): StoreState['objects'];
}

/** `uid` is short for the precondition of that name. */
export type DeletionOptions = Omit<DeleteOptions, 'signal'> & { readonly uid?: string };

/** An empty server: as a new cluster it has the namespaces that Kubernetes makes itself. */
export const createStore = (clock: VirtualClock, options: StoreOptions = {}): MemoryStore => {
  const store = new VersionedStore(clock, options);
  if (options.restored === undefined) {
    for (const name of systemNamespaces) {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      store.create(resources.namespaces, namespace, { fieldManager: 'kube-apiserver' });
    }
    store.history.forget(store.version);
  }
  return store;
};

const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const defaultHistoryLimit = 10_000;

class VersionedStore implements MemoryStore {
  readonly clock: VirtualClock;
  readonly catalog = new ResourceCatalog();
  readonly history: ChangeHistory;
  private latest: number;
  private readonly seed: number;
  private readonly tracksOwners: boolean;
  private readonly tables = new Map<string, { readonly resource: Resource; readonly table: ObjectTable }>();
  private readonly listeners = new Set<(commit: Commit) => void>();
  private readonly undelivered: Commit[] = [];
  private isDelivering = false;

  constructor(clock: VirtualClock, { seed = 1, historyLimit = defaultHistoryLimit, tracksOwners = false, restored }: StoreOptions) {
    this.clock = clock;
    this.seed = seed;
    this.tracksOwners = tracksOwners;
    this.latest = restored?.version ?? 1;
    this.history = new ChangeHistory(this.latest, historyLimit);
    for (const { resource, object } of restored?.objects ?? []) {
      this.learn(resource, object);
      this.tableOf(resource).put(freezeJson(object));
    }
  }

  get version(): number {
    return this.latest;
  }

  get<T extends KubernetesObject>(reference: ObjectReference): T | undefined {
    // The caller knows which kind the resource has.
    return this.tableOf(reference.resource).get(reference.namespace, reference.name) as T | undefined;
  }

  list<T extends KubernetesObject>(selection: Selection): readonly T[] {
    const matches = matcherOf('list', selection);
    return this.tableOf(selection.resource).all().filter(matches) as readonly KubernetesObject[] as readonly T[];
  }

  everything(): StoreState['objects'] {
    return [...this.tables.values()].flatMap(({ resource, table }) => table.all().map((object) => ({ resource, object })));
  }

  create(resource: Resource, object: KubernetesObject, mode: WriteMode = {}): KubernetesObject {
    const { fieldManager } = mode;
    const record =
      this.tracksOwners && fieldManager !== undefined ? recordOwners(this.tracking(resource, fieldManager, undefined)) : undefined;
    return this.createRecorded(resource, object, mode, record);
  }

  private createRecorded(
    resource: Resource,
    object: KubernetesObject,
    mode: WriteMode,
    record: RecordOwners | undefined,
  ): KubernetesObject {
    if (!this.catalog.has(resource)) throw notServed('create', resource);
    this.checkNamespace(resource, object);
    const complete = admitNew(resource, object, this.admission(resource, record));
    const admitted = freezeJson(rulesOf(resource).admit?.(complete, this) ?? complete);
    const reference = referenceOf(resource, admitted);
    if (this.get(reference) !== undefined) throw alreadyExists(reference);
    return mode.dryRun === true ? admitted : this.commit(resource, 'ADDED', admitted, undefined);
  }

  update(resource: Resource, object: KubernetesObject, mode: WriteMode = {}): KubernetesObject {
    const reference = referenceOf(resource, object);
    const before = this.get(reference);
    if (before === undefined && rulesOf(resource).createOnUpdate) return this.create(resource, object, mode);
    return this.replace('update', reference, this.existing('update', reference), () => object, mode);
  }

  change(
    reference: ObjectReference,
    change: (before: KubernetesObject) => KubernetesObject,
    mode: WriteMode & { readonly subresource?: 'status' | 'scale' } = {},
  ): KubernetesObject {
    return this.replace('patch', reference, this.existing('patch', reference), change, mode);
  }

  apply(
    reference: ObjectReference,
    configuration: KubernetesObject,
    mode: WriteMode & { readonly fieldManager: string; readonly force?: boolean; readonly subresource?: 'status' },
  ): KubernetesObject {
    const { resource } = reference;
    if (!this.catalog.has(resource)) throw notServed('patch', resource);
    const before = this.get(reference);
    if (before === undefined && mode.subresource !== undefined) throw notFound('patch', reference);
    const applied = applyWithOwners(
      this.tracking(resource, mode.fieldManager, mode.subresource),
      before,
      configuration,
      mode.force === true,
    );
    if (applied.kind === 'conflict') throw conflictError(reference, applied.conflicts);
    const record: RecordOwners = (_before, after) => withEntries(after, applied.entries);
    if (before === undefined) return this.createRecorded(resource, applied.object, mode, record);
    return this.replace('patch', reference, before, () => applied.object, mode, record);
  }

  updateStatus(
    reference: ObjectReference,
    status: unknown,
    annotations?: Readonly<Record<string, string>>,
    mode: WrittenBy = {},
  ): KubernetesObject {
    const before = this.existing('update', reference);
    const metadata = annotations === undefined ? before.metadata : { ...before.metadata, annotations };
    return this.replace('update', reference, before, () => ({ ...before, metadata, status }), { ...mode, subresource: 'status' });
  }

  delete(reference: ObjectReference, options: DeletionOptions = {}): void {
    const before = this.existing('delete', reference);
    checkPreconditions(reference, before, options);
    const decision = decideDeletion(reference.resource, before, options, this.clock.now());
    if (options.dryRun === true || decision.kind === 'pending') return;
    if (decision.kind === 'remove') this.commit(reference.resource, 'DELETED', before, before);
    else {
      const marked = { ...before, metadata: decision.metadata };
      this.commit(reference.resource, 'MODIFIED', rulesOf(reference.resource).withDeletion?.(marked) ?? marked, before);
    }
  }

  subscribe(resource: Resource, listener: (change: StoreChange) => void): () => void {
    const name = qualifiedName(resource);
    return this.onCommit((commit) => {
      if (qualifiedName(commit.resource) === name) listener(commit.change);
    });
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private replace(
    verb: 'update' | 'patch',
    reference: ObjectReference,
    before: KubernetesObject,
    change: (before: KubernetesObject) => KubernetesObject,
    mode: WriteMode & { readonly subresource?: 'status' | 'scale' },
    recordApplied?: RecordOwners,
  ): KubernetesObject {
    const wished = change(before);
    const record = recordApplied ?? this.recorderOf(reference.resource, before, wished, mode);
    const after =
      mode.subresource === 'status'
        ? admitStatus(verb, reference, wished, before, record)
        : admitUpdate(verb, reference, wished, before, this.admission(reference.resource, record));
    if (after === before || mode.dryRun === true) return after;
    if (isDeletionComplete(reference.resource, after)) return this.commit(reference.resource, 'DELETED', after, before);
    return this.commit(reference.resource, 'MODIFIED', after, before);
  }

  private existing(verb: 'update' | 'patch' | 'delete', reference: ObjectReference): KubernetesObject {
    if (!this.catalog.has(reference.resource)) throw notServed(verb, reference.resource);
    const object = this.get(reference);
    if (object === undefined) throw notFound(verb, reference);
    return object;
  }

  /** Nothing is created in a namespace that is not there, or on its way out. Source: admission plug-in NamespaceLifecycle. */
  private checkNamespace(resource: Resource, object: KubernetesObject): void {
    if (!resource.namespaced) return;
    const { namespace = '', name } = object.metadata;
    const request = requestOf('create', { resource, namespace, name });
    if (namespace === '') throw badRequest(request, 'an empty namespace may not be set during creation');
    const reference: ObjectReference = { resource: resources.namespaces, name: namespace };
    const holder = this.get(reference);
    if (holder === undefined) throw notFound('create', reference);
    if (holder.metadata.deletionTimestamp === undefined) return;
    const what = `${qualifiedName(resource)} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`;
    throw denied(request, what, { name, kind: resource.plural });
  }

  private admission(resource: Resource, record: RecordOwners | undefined): AdmissionContext {
    return {
      nowMs: this.clock.now(),
      seed: this.seed,
      counter: this.latest + 1,
      others: () => this.tableOf(resource).all(),
      recordOwners: record,
    };
  }

  /** Of an object that has no entries nothing is written down, unless the write brings some. */
  private recorderOf(
    resource: Resource,
    before: KubernetesObject,
    wished: KubernetesObject,
    { fieldManager, subresource }: WriteMode & { readonly subresource?: 'status' | 'scale' },
  ): RecordOwners | undefined {
    if (fieldManager === undefined) return undefined;
    if (before.metadata.managedFields === undefined && wished.metadata.managedFields === undefined) return undefined;
    return recordOwners(this.tracking(resource, fieldManager, subresource));
  }

  private tracking(resource: Resource, manager: string, subresource: 'status' | 'scale' | undefined): OwnerTracking {
    const definition = isBuiltIn(resource)
      ? undefined
      : this.get({ resource: resources.customResourceDefinitions, name: qualifiedName(resource) });
    return { resource, definition, manager, subresource, time: formatTime(this.clock.now()) };
  }

  private commit(
    resource: Resource,
    type: StoreChange['type'],
    object: KubernetesObject,
    before: KubernetesObject | undefined,
  ): KubernetesObject {
    this.latest += 1;
    const stamped = freezeJson({ ...object, metadata: { ...object.metadata, resourceVersion: String(this.latest) } });
    const table = this.tableOf(resource);
    if (type === 'DELETED') table.remove(stamped);
    else table.put(stamped);
    this.learn(resource, stamped);
    const commit: Commit = { version: this.latest, resource, change: { type, object: stamped, before } };
    this.history.add(commit);
    this.undelivered.push(commit);
    this.deliver();
    return stamped;
  }

  /** A listener may write: what that commits is delivered after what is being delivered, so that everybody sees one order. */
  private deliver(): void {
    if (this.isDelivering) return;
    this.isDelivering = true;
    try {
      for (let commit = this.undelivered.shift(); commit !== undefined; commit = this.undelivered.shift()) {
        for (const listener of this.listeners) listener(commit);
      }
    } finally {
      this.isDelivering = false;
    }
  }

  private learn(resource: Resource, object: KubernetesObject): void {
    this.catalog.add(resource);
    if (object.kind === 'CustomResourceDefinition') this.catalog.addDefinition(object);
  }

  private tableOf(resource: Resource): ObjectTable {
    const name = qualifiedName(resource);
    const known = this.tables.get(name);
    if (known !== undefined) return known.table;
    const table = new ObjectTable();
    this.tables.set(name, { resource, table });
    return table;
  }
}

const referenceOf = (resource: Resource, { metadata }: KubernetesObject): ObjectReference => ({
  resource,
  name: metadata.name,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
});

/** Source: apiserver `BeforeDelete`. */
const checkPreconditions = (reference: ObjectReference, { metadata }: KubernetesObject, options: DeletionOptions): void => {
  const uid = options.preconditions?.uid ?? options.uid;
  const resourceVersion = options.preconditions?.resourceVersion;
  if (uid !== undefined && uid !== metadata.uid)
    throw preconditionFailed(reference, 'UID', uid, metadata.uid, 'deleted and then recreated');
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw preconditionFailed(reference, 'ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified');
  }
};
