import type { KubernetesObject, ManagedFieldsEntry } from '../kubernetes/object.ts';

/**
 * Who wrote a field last, in words: "probably by kube-controller-manager at 2026-11-30T10:00:00Z". A manager's name is what
 * the writer called itself, hence "probably". Empty when the object does not tell.
 *
 * Source: Kubernetes API reference, ManagedFieldsEntry v1 meta.
 */
export const probablyBy = (object: KubernetesObject, path: readonly string[]): string => {
  const owners = (object.metadata.managedFields ?? []).filter((entry) => owns(entry, path));
  const last = owners.toSorted((a, b) => Date.parse(a.time ?? '') - Date.parse(b.time ?? '')).at(-1);
  if (last?.manager === undefined) return '';
  return `probably by ${last.manager}${last.time === undefined ? '' : ` at ${last.time}`}`;
};

const owns = (entry: ManagedFieldsEntry, path: readonly string[]): boolean => {
  let fields: unknown = entry.fieldsV1;
  for (const field of path) {
    if (typeof fields !== 'object' || fields === null) return false;
    fields = Object.entries(fields).find(([key]) => key === `f:${field}`)?.[1];
  }
  return fields !== undefined;
};
