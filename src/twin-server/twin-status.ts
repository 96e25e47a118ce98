import type { KubernetesObject } from '../kubernetes/object.ts';
import { fullName } from '../kubernetes/reference.ts';
import { isJsonObject } from '../kubernetes/json.ts';
import { qualifiedName, type Resource } from '../kubernetes/resource.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { formatTime } from '../twin/api/timestamp.ts';

/** What a twin holds. */
export interface TwinContents {
  /** RFC 3339, simulated. */
  readonly time: string;
  readonly resourceVersion: string;
  /** How many, by `deployments.apps`; sorted by name. */
  readonly objects: Readonly<Record<string, number>>;
  /** Latest last. Known only while it is served. */
  readonly lastChanges?: readonly TwinChange[];
}

export interface TwinChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `deployment/clef-serve.llm-serving` */
  readonly object: string;
  readonly resourceVersion: string;
}

const shownChanges = 10;

export const contentsOf = (store: MemoryStore): TwinContents => ({
  ...summarize(store.everything(), store.version, store.clock.now()),
  lastChanges: (store.history.since(store.history.oldestVersion) ?? []).slice(-shownChanges).map(({ version, resource, change }) => ({
    type: change.type,
    object: nameOf(resource, change.object),
    resourceVersion: String(version),
  })),
});

export const summarize = (
  objects: readonly { readonly resource: Resource; readonly object: KubernetesObject }[],
  version: number,
  timeMs: number,
): TwinContents => {
  const counts = new Map<string, number>();
  for (const { resource } of objects) counts.set(qualifiedName(resource), (counts.get(qualifiedName(resource)) ?? 0) + 1);
  return {
    time: formatTime(timeMs),
    resourceVersion: String(version),
    objects: Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
};

const nameOf = (resource: Resource, { metadata: { name, namespace } }: KubernetesObject): string =>
  fullName({ resource, name, ...(namespace === undefined ? {} : { namespace }) });

export const isTwinContents = (value: unknown): value is TwinContents =>
  isJsonObject(value) && typeof value['time'] === 'string' && isJsonObject(value['objects']);
