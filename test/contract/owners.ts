import { join } from 'node:path';
import { expect } from 'vitest';
import type { WriteOptions } from '../../src/cluster/cluster.ts';
import { isJsonArray, isJsonObject } from '../../src/kubernetes/json.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '../../src/kubernetes/object.ts';

export const by = (fieldManager: string): WriteOptions => ({ fieldManager });

/** Who owns the fields of an object; its times are only said to be there. */
export const ownersOf = ({ metadata }: KubernetesObject): readonly ManagedFieldsEntry[] =>
  (metadata.managedFields ?? []).map((entry) => (entry.time === undefined ? entry : { ...entry, time: 'now' }));

/**
 * Compares with what a real control plane has answered: `vitest -u -t "real control plane"` writes the file anew from its answer. All
 * subjects share the file.
 */
export const expectRecorded = async (name: string, value: unknown): Promise<void> => {
  const text = `${JSON.stringify(sorted(value), undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'api', 'recorded-owners', `${name}.json`));
};

/** With the keys of its objects in order, which means nothing in JSON. */
const sorted = (value: unknown): unknown => {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
};
