import type { KubernetesObject } from '../../kubernetes/object.ts';
import { qualifiedName, type Resource } from '../../kubernetes/resource.ts';
import type { Store } from '../api/store.ts';
import { ObjectIndex } from './object-index.ts';
import { WorkQueue } from './work-queue.ts';

/** A change as a controller hears of it. `EXISTING`: the object was there when the controllers started. */
export interface Change<T extends KubernetesObject> {
  readonly type: 'EXISTING' | 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
  readonly before: T | undefined;
}

/** What the controllers share: watches on the store and work queues on its clock, all of which end together. */
export class ControllerHost {
  readonly store: Store;
  private readonly stops: (() => void)[] = [];
  private readonly handlers = new Map<string, ((change: Change<KubernetesObject>) => void)[]>();

  constructor(store: Store) {
    this.store = store;
  }

  /** Tells of every object that exists, now, and then of every change. */
  watch<T extends KubernetesObject>(resource: Resource, handle: (change: Change<T>) => void): void {
    this.handlersOf(resource).push(handle as (change: Change<KubernetesObject>) => void);
    for (const object of this.store.list<T>({ resource })) handle({ type: 'EXISTING', object, before: undefined });
  }

  queue(latencyMs: number, reconcile: (key: string) => void): WorkQueue {
    const queue = new WorkQueue(this.store.clock, latencyMs, reconcile);
    this.stops.push(() => queue.stop());
    return queue;
  }

  index<T extends KubernetesObject>(resource: Resource, keysOf: (object: T) => readonly string[]): ObjectIndex<T> {
    const index = new ObjectIndex<T>(keysOf);
    this.watch<T>(resource, ({ type, object, before }) => {
      if (type === 'DELETED') index.replace(before ?? object, undefined);
      else index.replace(before, object);
    });
    return index;
  }

  stop(): void {
    for (const stop of this.stops.splice(0)) stop();
  }

  private handlersOf(resource: Resource): ((change: Change<KubernetesObject>) => void)[] {
    const name = qualifiedName(resource);
    const known = this.handlers.get(name);
    if (known !== undefined) return known;
    const handlers: ((change: Change<KubernetesObject>) => void)[] = [];
    this.handlers.set(name, handlers);
    this.stops.push(this.store.subscribe(resource, (change) => handlers.forEach((handle) => handle(change))));
    return handlers;
  }
}

/** `namespace/name`, and `/name` for cluster-scoped objects: the key under which an object waits to be reconciled. */
export const keyOf = ({ metadata }: KubernetesObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

/** The reference that a key stands for. */
export const referenceOf = (
  resource: Resource,
  key: string,
): { readonly resource: Resource; readonly namespace?: string; readonly name: string } => {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  return slash === 0 ? { resource, name } : { resource, namespace: key.slice(0, slash), name };
};
