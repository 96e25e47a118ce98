import type { KubernetesObject, ObjectMeta } from '../../kubernetes/object.ts';
import type { ObjectReference } from '../../kubernetes/reference.ts';
import { apiVersionOf, type Resource } from '../../kubernetes/resource.ts';
import { makeNameSuffix, makeUid } from './identifiers.ts';
import { freezeJson, isSameJson } from './json.ts';
import type { RecordOwners } from './apply/owner-tracking.ts';
import type { CompletionContext } from './kinds/kind-rules.ts';
import { rulesOf } from './kinds/rules.ts';
import { explainSubdomainName, validateLabelValues } from './names.ts';
import {
  badRequest,
  conflict,
  forbidden,
  internalError,
  invalid,
  notValid,
  requestOf,
  required,
  staleVersion,
  versionRequired,
  type Cause,
} from './refusals.ts';
import { formatTime } from './timestamp.ts';

export interface AdmissionContext {
  readonly nowMs: number;
  readonly seed: number;
  /** Different for each object that is created. */
  readonly counter: number;
  readonly others: () => Iterable<KubernetesObject>;
  /** Absent: who owns which field is not written down. */
  readonly recordOwners?: RecordOwners | undefined;
}

/**
 * A new object as it would be stored: named, dated, defaults filled in, valid. Throws `ApiError` 400 or 422.
 *
 * Source: apiserver `pkg/registry/rest/create.go`, `BeforeCreate`.
 */
export const admitNew = (resource: Resource, object: KubernetesObject, context: AdmissionContext): KubernetesObject => {
  checkType('create', resource, object);
  if ((object.metadata.resourceVersion ?? '') !== '') {
    throw internalError(
      requestOf('create', { resource, name: object.metadata.name }),
      'resourceVersion should not be set on objects to be created',
    );
  }
  const rules = rulesOf(resource);
  const completion: CompletionContext = { before: undefined, draw: context.counter, others: context.others };
  const owned = { ...object, metadata: newMetadata(resource, object.metadata, context) };
  const named = withDefaults(resource, owned, completion, context.recordOwners);
  const { status: _, ...withoutStatus } = named;
  const admitted = freezeJson(rules.hasStatus ? { ...withoutStatus, status: rules.initialStatus?.(named) ?? {} } : named);
  refuseInvalid('create', resource, admitted, [
    ...validateMetadata(resource, admitted.metadata),
    ...(rules.validate?.(admitted, completion) ?? []),
  ]);
  return admitted;
};

const newMetadata = (resource: Resource, given: ObjectMeta, { nowMs, seed, counter }: AdmissionContext): ObjectMeta => {
  const { resourceVersion: _, deletionTimestamp: _deletion, deletionGracePeriodSeconds: _grace, name, ...kept } = given;
  const generated =
    (name ?? '') === '' && given.generateName !== undefined ? `${given.generateName}${makeNameSuffix(seed, counter)}` : name;
  return {
    ...withoutEmpty(kept),
    name: generated,
    uid: makeUid(seed, counter),
    creationTimestamp: formatTime(nowMs),
    ...(rulesOf(resource).movesGeneration === undefined ? {} : { generation: 1 }),
  };
};

/**
 * A changed object as it would be stored; `before` itself when nothing changes. Throws `ApiError` 400, 409 or 422.
 *
 * Source: apiserver `pkg/registry/rest/update.go`, `BeforeUpdate`.
 */
export const admitUpdate = (
  verb: 'update' | 'patch',
  reference: ObjectReference,
  object: KubernetesObject,
  before: KubernetesObject,
  context: AdmissionContext,
): KubernetesObject => {
  const { resource } = reference;
  const rules = rulesOf(resource);
  checkType(verb, resource, object);
  checkIdentity(verb, reference, object, before);
  const kept: KubernetesObject = {
    ...object,
    metadata: keptMetadata(object.metadata, before.metadata),
    ...(rules.hasStatus ? { status: before.status } : {}),
  };
  const completion: CompletionContext = { before, draw: context.counter, others: context.others };
  const filled = withDefaults(resource, kept, completion, context.recordOwners);
  const moves = rules.movesGeneration?.(filled, before) === true;
  const after = moves ? { ...filled, metadata: { ...filled.metadata, generation: (before.metadata.generation ?? 0) + 1 } } : filled;
  if (isSameJson(after, before)) return before;
  const admitted = freezeJson(after);
  refuseInvalid(verb, resource, admitted, [
    ...validateMetadata(resource, admitted.metadata),
    ...validateFinalizers(admitted.metadata, before.metadata),
    ...(rules.validate?.(admitted, completion) ?? []),
    ...(rules.validateUpdate?.(admitted, before) ?? []),
  ]);
  return admitted;
};

/** Only the status changes, and the metadata that the API server takes with it. */
export const admitStatus = (
  verb: 'update' | 'patch',
  reference: ObjectReference,
  object: KubernetesObject,
  before: KubernetesObject,
  record: RecordOwners | undefined,
): KubernetesObject => {
  checkType(verb, reference.resource, object);
  checkIdentity(verb, reference, object, before);
  const { labels, annotations } = object.metadata;
  const { labels: _, annotations: _annotations, ...metadata } = before.metadata;
  const after: KubernetesObject = {
    ...before,
    metadata: { ...metadata, ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) },
    status: object.status ?? {},
  };
  const owned = record?.(before, after) ?? after;
  return isSameJson(owned, before) ? before : freezeJson(owned);
};

/** What a client cannot change stays as it is. */
const keptMetadata = (given: ObjectMeta, before: ObjectMeta): ObjectMeta => {
  const { uid, resourceVersion, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = before;
  const kept = { uid, resourceVersion, generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds };
  return { ...withoutEmpty(given), ...(kept as Partial<ObjectMeta>) };
};

/** An empty map or list is not told from none. */
const withoutEmpty = <Meta extends Partial<ObjectMeta>>(metadata: Meta): Meta => {
  const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const emptyFields = Object.entries(metadata).filter(([, value]) => isEmpty(value));
  return emptyFields.length === 0 ? metadata : { ...metadata, ...Object.fromEntries(emptyFields.map(([field]) => [field, undefined])) };
};

/** Defaults are their writer's; what the server adds by itself, such as an address, is nobody's. */
const withDefaults = (
  resource: Resource,
  object: KubernetesObject,
  context: CompletionContext,
  record: RecordOwners | undefined,
): KubernetesObject => {
  const rules = rulesOf(resource);
  const filled = rules.withDefaults?.(object) ?? object;
  const owned = record?.(context.before, filled) ?? filled;
  return rules.complete?.(owned, context) ?? owned;
};

const checkType = (verb: 'create' | 'update' | 'patch', resource: Resource, { apiVersion, kind, metadata }: KubernetesObject): void => {
  if (apiVersion === apiVersionOf(resource) && kind === resource.kind) return;
  throw badRequest(
    requestOf(verb, { resource, name: metadata.name }),
    `${kind} in ${apiVersion} cannot be handled as a ${resource.kind} in ${apiVersionOf(resource)}`,
  );
};

const checkIdentity = (
  verb: 'update' | 'patch',
  reference: ObjectReference,
  { metadata }: KubernetesObject,
  before: KubernetesObject,
): void => {
  const { name, uid, resourceVersion = '' } = metadata;
  if (name !== reference.name) {
    throw badRequest(requestOf(verb, reference), `the name of the object (${name}) does not match the name on the URL (${reference.name})`);
  }
  if (resourceVersion === '' && !rulesOf(reference.resource).unconditionalUpdate) {
    throw versionRequired(verb, reference);
  }
  if (uid !== undefined && uid !== before.metadata.uid) {
    if (verb === 'patch') throw notValid(verb, reference, [invalid('metadata.uid', uid, 'field is immutable')]);
    throw conflict(verb, reference, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`);
  }
  if (resourceVersion !== '' && resourceVersion !== before.metadata.resourceVersion) throw staleVersion(verb, reference);
};

const validateMetadata = (resource: Resource, { name, labels, finalizers }: ObjectMeta): readonly Cause[] => {
  if ((name ?? '') === '') return [required('metadata.name', 'name or generateName is required')];
  const nameFault = (rulesOf(resource).validateName ?? explainSubdomainName)(name);
  return [
    ...(nameFault === undefined ? [] : [invalid('metadata.name', name, nameFault)]),
    ...validateLabelValues(labels ?? {}, 'metadata.labels'),
    ...(finalizers ?? []).flatMap((finalizer) =>
      finalizer === '' ? [invalid('metadata.finalizers', finalizer, 'name part must be non-empty')] : [],
    ),
  ];
};

const validateFinalizers = (after: ObjectMeta, before: ObjectMeta): readonly Cause[] => {
  if (before.deletionTimestamp === undefined) return [];
  const added = (after.finalizers ?? []).filter((finalizer) => before.finalizers?.includes(finalizer) !== true);
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  return [
    forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
};

const refuseInvalid = (
  verb: 'create' | 'update' | 'patch',
  resource: Resource,
  { metadata }: KubernetesObject,
  causes: readonly Cause[],
): void => {
  if (causes.length === 0) return;
  const reference: ObjectReference = {
    resource,
    name: metadata.name,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  };
  throw notValid(verb, reference, causes);
};
