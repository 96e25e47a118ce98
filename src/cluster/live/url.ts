import { patchContentTypes, type ApplyPatch, type Patch } from '../../kubernetes/patch.ts';
import type { ObjectReference, Selection } from '../../kubernetes/reference.ts';
import type { Resource } from '../../kubernetes/resource.ts';

export type Query = Readonly<Record<string, string | undefined>>;

/** `/apis/apps/v1/namespaces/llm-serving/deployments`. Source: Kubernetes API concepts, "Resource URIs". */
export const collectionPath = (resource: Resource, namespace: string | undefined): string =>
  `${groupVersionPath(resource)}${namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`}/${resource.plural}`;

export const objectPath = (reference: ObjectReference, subresource?: string): string =>
  `${collectionPath(reference.resource, reference.namespace)}/${encodeURIComponent(reference.name)}${subresource === undefined ? '' : `/${subresource}`}`;

export const groupVersionPath = ({ group, version }: Pick<Resource, 'group' | 'version'>): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** With its leading `?`; empty when no value is defined. */
export const queryString = (query: Query): string => {
  const parts = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

export const selectionQuery = ({ labelSelector, fieldSelector }: Selection): Query => ({ labelSelector, fieldSelector });

/** Source: Kubernetes API concepts, "Dry-run", "Validation for unrecognized or duplicate fields". */
export const writeQuery = (options: { readonly fieldManager: string; readonly dryRun?: boolean; readonly force?: boolean }): Query => ({
  fieldManager: options.fieldManager,
  fieldValidation: 'Strict',
  dryRun: options.dryRun === true ? 'All' : undefined,
  force: options.force === true ? 'true' : undefined,
});

export const patchBody = (patch: Patch | ApplyPatch): { readonly contentType: string; readonly body: unknown } => ({
  contentType: patchContentTypes[patch.type],
  body: patch.type === 'json' ? patch.operations : patch.body,
});
