import type { VirtualClock } from '../../clock/virtual-clock.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ObjectReference, Selection } from '../../kubernetes/reference.ts';
import type { Resource } from '../../kubernetes/resource.ts';

/**
 * The twin's storage as its controllers see it: synchronous, versioned, with the API server's rules applied (defaults,
 * generation, uid, resourceVersion, two-phase delete). Refusals are thrown as `ApiError`, like a server's.
 */
export interface Store {
  readonly clock: VirtualClock;

  get<T extends KubernetesObject>(reference: ObjectReference): T | undefined;
  list<T extends KubernetesObject>(selection: Selection): readonly T[];

  create(resource: Resource, object: KubernetesObject, mode?: WrittenBy): KubernetesObject;

  /** Replaces spec and metadata (not status). Writing what is there already makes no new version. */
  update(resource: Resource, object: KubernetesObject, mode?: WrittenBy): KubernetesObject;

  /**
   * Replaces the status alone; never moves `generation`. `annotations` replaces those too: the API server takes them with a
   * status, and so the Deployment controller writes its revision without moving the Deployment's generation.
   */
  updateStatus(
    reference: ObjectReference,
    status: unknown,
    annotations?: Readonly<Record<string, string>>,
    mode?: WrittenBy,
  ): KubernetesObject;

  /** Two-phase where the kind has graceful deletion or finalizers. `gracePeriodSeconds: 0` removes at once. */
  delete(reference: ObjectReference, options?: { readonly gracePeriodSeconds?: number; readonly uid?: string }): void;

  /** Called synchronously after each committed change of the resource, in commit order. Returns how to stop. */
  subscribe(resource: Resource, listener: (change: StoreChange) => void): () => void;
}

/** Who a write is by, where the fields that it changes are to become somebody's. */
export interface WrittenBy {
  readonly fieldManager?: string;
}

export interface StoreChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubernetesObject;
  readonly before: KubernetesObject | undefined;
}

/** The store, with everything that is written through it written by `manager`; by nobody in particular where there is none. */
export const writingAs = (store: Store, manager: string | undefined): Store => {
  const mode: WrittenBy = manager === undefined ? {} : { fieldManager: manager };
  return {
    clock: store.clock,
    get: (reference) => store.get(reference),
    list: (selection) => store.list(selection),
    create: (resource, object, other = mode) => store.create(resource, object, other),
    update: (resource, object, other = mode) => store.update(resource, object, other),
    updateStatus: (reference, status, annotations, other = mode) => store.updateStatus(reference, status, annotations, other),
    delete: (reference, options) => store.delete(reference, options),
    subscribe: (resource, listener) => store.subscribe(resource, listener),
  };
};
