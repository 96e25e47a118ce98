import type { KubernetesObject } from '../../kubernetes/object.ts';

const none: readonly never[] = [];

/** Objects of one resource under keys that are computed from them, so that nobody looks through all of them at each event. */
export class ObjectIndex<T extends KubernetesObject> {
  private readonly keysOf: (object: T) => readonly string[];
  private readonly entries = new Map<string, Map<string, T>>();

  constructor(keysOf: (object: T) => readonly string[]) {
    this.keysOf = keysOf;
  }

  /** In the order in which they came under the key. */
  under(key: string): readonly T[] {
    const entry = this.entries.get(key);
    return entry === undefined ? none : [...entry.values()];
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** `undefined` stands for an object that was not there yet, or is gone. */
  replace(before: T | undefined, after: T | undefined): void {
    const keysAfter = after === undefined ? none : this.keysOf(after);
    if (before !== undefined) {
      for (const key of this.keysOf(before)) if (!keysAfter.includes(key)) this.remove(key, before);
    }
    if (after !== undefined) for (const key of keysAfter) this.put(key, after);
  }

  private put(key: string, object: T): void {
    const entry = this.entries.get(key) ?? new Map<string, T>();
    entry.set(idOf(object), object);
    this.entries.set(key, entry);
  }

  private remove(key: string, object: T): void {
    const entry = this.entries.get(key);
    entry?.delete(idOf(object));
    if (entry?.size === 0) this.entries.delete(key);
  }
}

const idOf = ({ metadata }: KubernetesObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
