import type { KubernetesObject } from '../../kubernetes/object.ts';
import { isJsonObject } from '../../kubernetes/json.ts';
import { referenceKey } from '../../kubernetes/reference.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { Commit } from '../api/change-history.ts';

export interface StoredObject {
  readonly resource: Resource;
  readonly object: KubernetesObject;
}

/** Everything that a twin remembers. */
export interface Snapshot {
  readonly format: 1;
  /** The folder of manifests, for people. */
  readonly folder: string;
  /** The manifests that the state began with. */
  readonly manifests: readonly KubernetesObject[];
  /** Of the last commit. */
  readonly version: number;
  /** Virtual time, milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly objects: readonly StoredObject[];
}

/** What changed since the batch before: the last state of each object, however often it changed. All of a batch counts, or nothing. */
export interface Batch {
  readonly version: number;
  readonly timeMs: number;
  readonly put: readonly StoredObject[];
  /** By `referenceKey`. */
  readonly removed: readonly string[];
}

/** Lines that pass their checksum were written by this file; all that is left to tell is by which version of it. */
export const isSnapshot = (value: unknown): value is Snapshot => isJsonObject(value) && value['format'] === 1;

export const isBatch = (value: unknown): value is Batch => isJsonObject(value) && Array.isArray(value['put']);

/** `commits` by `referenceKey`, the last of each object. */
export const batchOf = (commits: ReadonlyMap<string, Commit>, version: number, timeMs: number): Batch => {
  const put: StoredObject[] = [];
  const removed: string[] = [];
  for (const [key, { resource, change }] of commits) {
    if (change.type === 'DELETED') removed.push(key);
    else put.push({ resource, object: change.object });
  }
  return { version, timeMs, put, removed };
};

/** The snapshot as the batches made it. Those that it already contains are passed over. */
export const replay = (snapshot: Snapshot, batches: readonly Batch[]): Snapshot => {
  const later = batches.filter((batch) => batch.version > snapshot.version || batch.timeMs > snapshot.timeMs);
  const latest = later.at(-1);
  if (latest === undefined) return snapshot;
  const objects = new Map(snapshot.objects.map((stored) => [keyOf(stored), stored]));
  for (const { put, removed } of later) {
    for (const stored of put) objects.set(keyOf(stored), stored);
    for (const key of removed) objects.delete(key);
  }
  return { ...snapshot, version: latest.version, timeMs: latest.timeMs, objects: [...objects.values()] };
};

export const keyOf = ({ resource, object: { metadata } }: StoredObject): string =>
  referenceKey({ resource, name: metadata.name, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) });
