import type { KubernetesObject, ManagedFieldsEntry } from '../../../kubernetes/object.ts';
import { isJsonObject, isSameJson } from '../json.ts';
import { compareFields, type Changes } from './compare.ts';
import { fieldsIn, mergeConfiguration, removeFields, withNamedFields } from './configuration.ts';
import { difference, fieldSetOf, intersection, union, type FieldSet } from './field-set.ts';
import type { GranularType } from './field-types.ts';

/** Who writes, and how. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Update' | 'Apply';
  readonly apiVersion: string;
  readonly subresource?: string;
  /** As the API writes moments. */
  readonly time: string;
}

/** One manager's fields. `fields` is never empty. */
interface Ownership {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

export type ManagedFields = readonly ManagedFieldsEntry[];

/** What is never owned: what the server alone writes, and what names the object. Source: apimachinery `managedfields`, `stripMeta`. */
const serverFields: FieldSet = [
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (field) => ['metadata', field],
  ),
].reduce<FieldSet>((all, path) => union(all, fieldSetOf(...path)) ?? all, { 'f:apiVersion': {} });

/** The version of a write that is compared: `managedFields` itself is nobody's field. */
export interface Write {
  readonly type: GranularType;
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
  readonly entries: ManagedFields;
  /** Fields that this way of writing leaves as they are, whatever it says. */
  readonly ignored: FieldSet | undefined;
}

/**
 * The entries after a create, an update or a patch: what it changed belongs to its manager alone. The same array when nothing changed.
 *
 * Source: structured-merge-diff `merge/update.go`, `Update`; apimachinery `managedfields`, `managedFieldsUpdater`.
 */
export const recordUpdate = (write: Write, writer: Writer): ManagedFields => {
  const changes = changesOf(write);
  if (changes === undefined) return write.entries;
  const taken = union(changes.modified, changes.added);
  const others = decode(write.entries).flatMap((owner) => withoutFields(owner, taken, changes.removed));
  const own = difference(taken, serverFields);
  if (own === undefined) return encode(others);
  const earlier = others.find((owner) => isSameManager(owner, writer));
  return encode([...others.filter((owner) => owner !== earlier), ownershipOf(writer, union(earlier?.fields, own) ?? own)]);
};

const changesOf = ({ type, before, after, ignored }: Write): Changes | undefined => {
  const changes = compareFields(type, before, after);
  if (changes === undefined || ignored === undefined) return changes;
  const [added, modified, removed] = [changes.added, changes.modified, changes.removed].map((set) =>
    difference(set, ignored, 'recursively'),
  );
  return { added, modified, removed };
};

const withoutFields = (owner: Ownership, ...sets: readonly (FieldSet | undefined)[]): readonly Ownership[] => {
  const fields = sets.reduce<FieldSet | undefined>((left, set) => difference(left, set), owner.fields);
  if (fields === owner.fields) return [owner];
  return fields === undefined ? [] : [{ ...owner, fields }];
};

const ownershipOf = ({ manager, operation, apiVersion, subresource, time }: Writer, fields: FieldSet): Ownership => ({
  manager,
  operation,
  apiVersion,
  subresource,
  time,
  fields,
});

const isSameManager = (owner: Ownership, writer: Writer): boolean =>
  owner.manager === writer.manager &&
  owner.operation === writer.operation &&
  owner.subresource === writer.subresource &&
  (owner.operation === 'Apply' || owner.apiVersion === writer.apiVersion);

/** A field that an apply would change and that somebody else owns. */
export interface ApplyConflict {
  readonly owner: Omit<Ownership, 'fields'>;
  readonly fields: FieldSet;
}

export type Applied =
  | { readonly kind: 'conflict'; readonly conflicts: readonly ApplyConflict[] }
  | { readonly kind: 'applied'; readonly object: KubernetesObject; readonly entries: ManagedFields };

/**
 * Merges a configuration into the object `before`. Its fields belong to the writer from then on, beside those who own them with the same
 * value; what the writer applied last time and does not any more is removed where nobody else owns it.
 *
 * Source: structured-merge-diff `merge/update.go`, `Apply`, `prune`.
 */
export const applyConfiguration = (
  { type, before, entries, ignored }: Omit<Write, 'after'>,
  configuration: KubernetesObject,
  writer: Writer,
  force: boolean,
): Applied => {
  const owners = decode(entries);
  const last = owners.find((owner) => isSameManager(owner, writer));
  const own = difference(fieldsIn(type, configuration), ignored, 'recursively');
  const merged = mergeConfiguration(type, before, configuration);
  const allFields = owners.reduce((all, owner) => (owner === last ? all : union(all, owner.fields)), own);
  const after = asObject(before, prune(type, merged, last?.fields, allFields));

  const changes = changesOf({ type, before, after, entries, ignored });
  const taken = union(changes?.modified, changes?.added);
  const others = owners.filter((owner) => owner !== last);
  const conflicts = others.flatMap((owner) => {
    const fields = intersection(owner.fields, taken);
    return fields === undefined ? [] : [{ owner, fields }];
  });
  if (conflicts.length > 0 && !force) return { kind: 'conflict', conflicts };
  const kept = others.flatMap((owner) => withoutFields(owner, taken, changes?.removed));
  const applied = difference(own, serverFields);
  if (applied === undefined) return { kind: 'applied', object: after, entries: encode(kept) };
  // who applies what is there already takes no time: the entry keeps the one it had, or has none
  const time = isSameJson(after, before) ? last?.time : writer.time;
  return { kind: 'applied', object: after, entries: encode([...kept, { ...ownershipOf(writer, applied), time }]) };
};

/** Takes out of `merged` what was applied last time, but for what is in `owned`. */
const prune = (type: GranularType, merged: unknown, last: FieldSet | undefined, owned: FieldSet | undefined): unknown => {
  if (last === undefined) return merged;
  const everything = withNamedFields(type, fieldsIn(type, merged));
  const lastFields = withNamedFields(type, last);
  const bare = removeFields(type, merged, lastFields);
  const wanted = union(withNamedFields(type, fieldsIn(type, bare)), withNamedFields(type, owned));
  const withOwned = removeFields(type, merged, difference(everything, wanted));
  const left = withNamedFields(type, fieldsIn(type, withOwned));
  return removeFields(type, merged, intersection(difference(everything, left), lastFields));
};

const asObject = (before: KubernetesObject, value: unknown): KubernetesObject =>
  // a configuration names the kind and the object, so these are always left
  isJsonObject(value) ? (value as KubernetesObject) : before;

/** Reads the entries; those that own nothing are left out, and of several of one manager the last counts. */
const decode = (entries: ManagedFields): readonly Ownership[] => {
  const owners = entries.flatMap(({ manager = '', operation = '', apiVersion = '', subresource, time, fieldsV1 }) => {
    const fields = fieldsV1 as FieldSet | undefined;
    if (fields === undefined || Object.keys(fields).length === 0) return [];
    return [{ manager, operation, apiVersion, subresource: subresource === '' ? undefined : subresource, time, fields }];
  });
  const isLast = (owner: Ownership, index: number): boolean =>
    !owners.some((other, later) => later > index && identityOf(other) === identityOf(owner));
  return owners.length < 2 ? owners : owners.filter(isLast);
};

/** One that applies is the same in every version of the API. */
const identityOf = ({ manager, operation, apiVersion, subresource }: Omit<Ownership, 'fields'>): string =>
  JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource ?? '']);

/** In the server's order: those that apply first, then by time and name. */
const encode = (owners: readonly Ownership[]): ManagedFields =>
  owners.toSorted(byPrecedence).map(({ manager, operation, apiVersion, subresource, time, fields }) => ({
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(subresource === undefined ? {} : { subresource }),
  }));

const byPrecedence = (one: Ownership, other: Ownership): number =>
  byText(one.operation, other.operation) ||
  byText(one.time ?? '', other.time ?? '') ||
  byText(one.manager, other.manager) ||
  byText(one.apiVersion, other.apiVersion) ||
  byText(one.subresource ?? '', other.subresource ?? '');

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Whether the entries say the same but for their times. */
export const isSameOwnership = (one: ManagedFields, other: ManagedFields): boolean =>
  one === other || isSameJson(one.map(withoutTime), other.map(withoutTime));

const withoutTime = (entry: ManagedFieldsEntry): ManagedFieldsEntry => {
  const { time: _, ...rest } = entry;
  return rest;
};

/**
 * The entries that a write begins from: those that it brings along, which is how a client changes them; else those that are there.
 *
 * Source: apimachinery `managedfields`, `decodeLiveOrNew`.
 */
export const entriesToBeginFrom = (
  sent: ManagedFields | undefined,
  stored: ManagedFields | undefined,
  subresource: string | undefined,
): ManagedFields => {
  if (subresource !== undefined || sent === undefined) return stored ?? [];
  const [first, ...more] = sent;
  if (first === undefined || (more.length === 0 && Object.keys(first).length === 0)) return []; // how a client asks to forget them
  return isReadable(sent) ? sent : (stored ?? []);
};

const isReadable = (entries: ManagedFields): boolean =>
  entries.some(({ fieldsV1 }) => isJsonObject(fieldsV1) && Object.keys(fieldsV1).length > 0) &&
  entries.every(({ operation, fieldsType }) => (operation === 'Update' || operation === 'Apply') && fieldsType === 'FieldsV1');

/**
 * The entries after a write through the scale subresource: whoever owned the number loses it to the writer, and nobody owns 0, which a
 * Scale leaves out. What is nobody's stays so.
 *
 * The server carries the owners over into the Scale and back. On the way back it does not know an updater again, and gives it an entry
 * of its own for the number, without a time, beside the one for the rest.
 *
 * Source: apimachinery `managedfields`, `ScaleHandler`; autoscaling/v1 `ScaleSpec`.
 */
export const recordScale = (entries: ManagedFields, before: unknown, after: unknown, writer: Writer): ManagedFields => {
  const owners = decode(entries);
  const holders = owners.filter(({ fields }) => intersection(fields, replicas) !== undefined);
  if (holders.length === 0) return entries;
  const isChanged = (before ?? 0) !== (after ?? 0);
  const left = isChanged ? [] : holders;
  const keeps = (owner: Ownership): boolean => owner.operation === 'Apply' && left.includes(owner);
  const kept = owners.flatMap((owner) => (keeps(owner) ? [owner] : withoutFields(owner, replicas)));
  const carried = left.filter((owner) => !keeps(owner)).map((owner) => ({ ...owner, fields: replicas, time: undefined }));
  const taken = isChanged && (after ?? 0) !== 0 ? [{ ...ownershipOf(writer, replicas), time: undefined }] : [];
  return encode([...kept, ...carried, ...taken]);
};

const replicas = fieldSetOf('spec', 'replicas');
