import type { KubernetesObject } from '../kubernetes/object.ts';
import { isOlderVersion } from '../kubernetes/resource-version.ts';
import type { ObjectList } from './cluster.ts';

export interface ObjectChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubernetesObject;
}

/**
 * The objects of one selection, merged from lists and watch events that may overlap, repeat, or come from a server that lags
 * behind: an object never goes back to an older version, and one that is gone stays gone.
 *
 * Source: Kubernetes API concepts, "Efficient detection of changes"; "Sieve" (OSDI '22) on time travel.
 */
export class SelectionCache {
  private readonly objects = new Map<string, KubernetesObject>();
  private version = '';

  /** By `namespace/name`; the namespace is empty for cluster-scoped objects. */
  get items(): ReadonlyMap<string, KubernetesObject> {
    return this.objects;
  }

  /** Everything up to this version is known. */
  get resourceVersion(): string {
    return this.version;
  }

  /** What a consistent list tells beyond what is known. An object that is missing in it is gone. */
  mergeList(list: ObjectList): readonly ObjectChange[] {
    const changes: ObjectChange[] = [];
    const listed = new Set<string>();
    // The watch may have got further while the list was on its way: what it has seen going since must not come back.
    const overtaken = isOlderVersion(list.resourceVersion, this.version) === true;
    for (const object of list.items) {
      listed.add(keyOf(object));
      if (!overtaken || this.isNews(object)) changes.push(...this.mergeObject(object));
    }
    for (const [key, object] of this.objects) {
      // one that is newer than the list was created after it
      if (listed.has(key) || isOlderVersion(list.resourceVersion, object.metadata.resourceVersion) === true) continue;
      this.objects.delete(key);
      changes.push({ type: 'DELETED', object });
    }
    this.moveTo(list.resourceVersion);
    return changes;
  }

  /** What a watch event tells beyond what is known: often itself, sometimes nothing. */
  mergeEvent(event: ObjectChange): readonly ObjectChange[] {
    const changes =
      event.type === 'DELETED' ? this.mergeDeletion(event.object) : this.isNews(event.object) ? this.mergeObject(event.object) : [];
    this.moveTo(event.object.metadata.resourceVersion ?? '');
    return changes;
  }

  /** A bookmark: nothing but the version has changed. */
  moveTo(resourceVersion: string): void {
    if (resourceVersion !== '' && isOlderVersion(resourceVersion, this.version) !== true) this.version = resourceVersion;
  }

  /** False for an object that is not among what is known although it is no newer: it has been deleted since. */
  private isNews(object: KubernetesObject): boolean {
    return this.objects.has(keyOf(object)) || isOlderVersion(this.version, object.metadata.resourceVersion) !== false;
  }

  private mergeObject(object: KubernetesObject): readonly ObjectChange[] {
    const key = keyOf(object);
    const known = this.objects.get(key);
    if (known !== undefined && !isReplacedBy(known, object)) return [];
    this.objects.set(key, object);
    if (known === undefined) return [{ type: 'ADDED', object }];
    if (known.metadata.uid === object.metadata.uid) return [{ type: 'MODIFIED', object }];
    return [
      { type: 'DELETED', object: known }, // nobody told: another one has its name now
      { type: 'ADDED', object },
    ];
  }

  /** The object of a DELETED event carries the version of the deletion, or, from old and aggregated servers, its own last one. */
  private mergeDeletion(object: KubernetesObject): readonly ObjectChange[] {
    const key = keyOf(object);
    const known = this.objects.get(key);
    if (known === undefined || isOlderVersion(object.metadata.resourceVersion, known.metadata.resourceVersion) === true) return [];
    this.objects.delete(key);
    return [{ type: 'DELETED', object: known.metadata.uid === object.metadata.uid ? object : known }];
  }
}

const isReplacedBy = (known: KubernetesObject, object: KubernetesObject): boolean =>
  object.metadata.resourceVersion !== known.metadata.resourceVersion &&
  isOlderVersion(object.metadata.resourceVersion, known.metadata.resourceVersion) !== true;

const keyOf = ({ metadata }: KubernetesObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
