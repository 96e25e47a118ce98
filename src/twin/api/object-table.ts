import type { KubernetesObject } from '../../kubernetes/object.ts';

/** The stored objects of one resource, in the order in which a server lists them: by namespace, then by name. */
export class ObjectTable {
  private readonly objects = new Map<string, KubernetesObject>();
  private ordered: readonly KubernetesObject[] | undefined;

  get(namespace: string | undefined, name: string): KubernetesObject | undefined {
    return this.objects.get(keyOf(namespace, name));
  }

  put(object: KubernetesObject): void {
    this.objects.set(keyOf(object.metadata.namespace, object.metadata.name), object);
    this.ordered = undefined;
  }

  remove(object: KubernetesObject): void {
    this.objects.delete(keyOf(object.metadata.namespace, object.metadata.name));
    this.ordered = undefined;
  }

  all(): readonly KubernetesObject[] {
    this.ordered ??= [...this.objects].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object);
    return this.ordered;
  }
}

const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`;
