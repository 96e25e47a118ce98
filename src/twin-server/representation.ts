import { isBuiltIn } from '../kubernetes/built-in-groups.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { apiVersionOf } from '../kubernetes/resource.ts';
import type { ServedResource } from './discovery/served-resources.ts';
import type { Representation } from './negotiate.ts';
import { tableOf, type Table, type TableOptions } from './table/table.ts';

/** What goes with the items of a list. */
export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface ViewOptions {
  readonly as: Representation['as'];
  readonly now: number;
  readonly includeObject: TableOptions['includeObject'];
}

/** One object in the form that was asked for. */
export const objectView = (served: ServedResource, object: KubernetesObject, options: ViewOptions): unknown => {
  if (options.as === 'Table') return table(served, [object], options, { resourceVersion: object.metadata.resourceVersion ?? '' });
  return options.as === 'PartialObjectMetadata' ? metadataOnly(object) : object;
};

/** A list in the form that was asked for. Source: apiserver `pkg/endpoints/handlers/response.go`. */
export const listView = (
  served: ServedResource,
  items: readonly KubernetesObject[],
  metadata: ListMetadata,
  options: ViewOptions,
): unknown => {
  const { resource } = served;
  if (options.as === 'Table') return table(served, items, options, metadata);
  if (options.as === 'PartialObjectMetadata') {
    return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(metadataOnly) };
  }
  const written = isBuiltIn(resource) ? items.map(withoutType) : items;
  return { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items: written };
};

const table = (
  { resource, definition }: ServedResource,
  objects: readonly KubernetesObject[],
  { now, includeObject }: ViewOptions,
  metadata: ListMetadata,
): Table => ({
  ...tableOf(resource, objects, { now, includeObject, ...(definition === undefined ? {} : { definition }) }),
  metadata,
});

const metadataOnly = ({ metadata }: KubernetesObject): KubernetesObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata,
});

/** In a list of a built-in kind the items do not say again what they are. */
const withoutType = ({ kind: _, apiVersion: _version, ...rest }: KubernetesObject): Readonly<Record<string, unknown>> => rest;
