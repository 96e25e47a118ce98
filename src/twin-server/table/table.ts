import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { Cell, Column, ColumnDefinition } from './column.ts';
import { columnsOf } from './columns-of.ts';
import { fieldOf } from './print.ts';

export type { Cell, ColumnDefinition } from './column.ts';

/** Objects as a table, which the API server prints for clients that ask for one. Source: Kubernetes API reference, Table v1 meta. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: 'meta.k8s.io/v1';
  /** Of the list; the server fills in its own. */
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly columnDefinitions: readonly ColumnDefinition[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly Cell[];
  /** Of pods that have ended. */
  readonly conditions?: readonly RowCondition[];
  /** The object, its metadata alone as PartialObjectMetadata, or `null` where neither was asked for. */
  readonly object: KubernetesObject | null;
}

export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
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
  const columns = columnsOf(resource, options.definition);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {},
    columnDefinitions: columns.map(({ cell: _, ...definition }) => definition),
    rows: objects.map((object) => rowOf(resource, columns, object, options)),
  };
};

const rowOf = (resource: Resource, columns: readonly Column[], object: KubernetesObject, options: TableOptions): TableRow => {
  const conditions = resource.group === '' && resource.plural === 'pods' ? endOf(object) : [];
  return {
    cells: columns.map(({ cell }) => cell(object, options.now)),
    ...(conditions.length === 0 ? {} : { conditions }),
    object: included(object, options.includeObject),
  };
};

const included = (object: KubernetesObject, what: TableOptions['includeObject']): KubernetesObject | null => {
  switch (what) {
    case 'Object':
      return object;
    case 'Metadata':
      return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
    case 'None':
      return null;
  }
};

const endOf = (pod: KubernetesObject): readonly RowCondition[] => {
  switch (fieldOf(pod, 'status', 'phase')) {
    case 'Succeeded':
      return [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }];
    case 'Failed':
      return [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }];
    default:
      return [];
  }
};
