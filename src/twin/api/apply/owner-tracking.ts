import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { apiVersionOf, type Resource } from '../../../kubernetes/resource.ts';
import { isBuiltIn } from '../../../kubernetes/built-in-groups.ts';
import { resetFieldsOf } from '../kinds/reset-fields.ts';
import { builtInType } from './built-in-types.ts';
import { customType } from './custom-types.ts';
import { emptyObject } from './empty-objects.ts';
import type { GranularType } from './field-types.ts';
import {
  applyConfiguration,
  entriesToBeginFrom,
  recordScale,
  recordUpdate,
  type Applied,
  type ManagedFields,
  type Writer,
} from './managed-fields.ts';

/** Writes down in a new version of an object who owns its fields. `before` is absent for a new object. */
export type RecordOwners = (before: KubernetesObject | undefined, after: KubernetesObject) => KubernetesObject;

export interface OwnerTracking {
  readonly resource: Resource;
  /** Of a custom resource. */
  readonly definition: KubernetesObject | undefined;
  readonly manager: string;
  readonly subresource: 'status' | 'scale' | undefined;
  readonly time: string;
}

/** Of a create, an update or a patch. An object that has no entries stays without: they would tell half of its history. */
export const recordOwners =
  (tracking: OwnerTracking): RecordOwners =>
  (before, after) => {
    const { subresource } = tracking;
    const entries = entriesToBeginFrom(after.metadata.managedFields, before?.metadata.managedFields, subresource);
    if (before !== undefined && entries.length === 0) return withEntries(after, entries);
    if (subresource === 'scale') return withEntries(after, scaledEntries(tracking, before, after, entries));
    const comparable = withEntries(after, before?.metadata.managedFields ?? []);
    const recorded = recordUpdate(
      { ...frameOf(tracking), before: before ?? emptyObject(tracking.resource), after: comparable, entries },
      writerOf(tracking, 'Update'),
    );
    return withEntries(after, recorded);
  };

const scaledEntries = (
  tracking: OwnerTracking,
  before: KubernetesObject | undefined,
  after: KubernetesObject,
  entries: ManagedFields,
): ManagedFields => {
  const replicasOf = ({ spec }: KubernetesObject): unknown => (spec as { readonly replicas?: unknown } | undefined)?.replicas;
  return recordScale(entries, before === undefined ? undefined : replicasOf(before), replicasOf(after), writerOf(tracking, 'Update'));
};

/** An object with a configuration applied to it; `before` is absent where there is no object yet. */
export const applyWithOwners = (
  tracking: OwnerTracking,
  before: KubernetesObject | undefined,
  configuration: KubernetesObject,
  force: boolean,
): Applied => {
  const live = before ?? emptyObject(tracking.resource);
  const frame = frameOf(tracking);
  const stored = before?.metadata.managedFields ?? [];
  const writer = writerOf(tracking, 'Apply');
  const entries =
    before === undefined || stored.length > 0
      ? stored
      : recordUpdate(
          { ...frame, before: emptyObject(tracking.resource), after: live, entries: [] },
          { ...writerOf(tracking, 'Update'), manager: beforeFirstApply },
        );
  const comparable = withEntries(live, []);
  const applied = applyConfiguration({ ...frame, before: comparable, entries }, configuration, writer, force);
  return before === undefined && applied.kind === 'applied' ? { ...applied, object: configuration } : applied;
};

/** The manager of what was there before anybody applied. Source: apimachinery `managedfields`, `skipnonapplied.go`. */
const beforeFirstApply = 'before-first-apply';

/** The object with these entries, and with no list of them where there are none. */
export const withEntries = (object: KubernetesObject, entries: ManagedFields): KubernetesObject => {
  if (object.metadata.managedFields === entries) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: entries.length === 0 ? metadata : { ...metadata, managedFields: entries } };
};

const frameOf = ({ resource, definition, subresource }: OwnerTracking) => ({
  type: typeOf(resource, definition),
  ignored: resetFieldsOf(resource, subresource === 'status' ? 'status' : undefined),
});

const typeOf = (resource: Resource, definition: KubernetesObject | undefined): GranularType =>
  isBuiltIn(resource) ? builtInType(resource.kind) : customType(resource, definition);

const writerOf = ({ resource, manager, subresource, time }: OwnerTracking, operation: Writer['operation']): Writer => ({
  manager,
  operation,
  apiVersion: apiVersionOf(resource),
  time,
  ...(subresource === undefined ? {} : { subresource }),
});
