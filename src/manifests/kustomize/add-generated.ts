import { isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import { isSameNamespace, type BuiltObject } from './built-object.ts';

export type Behavior = 'create' | 'merge' | 'replace';

/**
 * Adds what was generated, or puts it in the place of the object that has its name. Throws an Error when there is none to merge with, or
 * one where none is expected.
 *
 * Source: kustomize API reference, `configMapGenerator`, "behavior".
 */
export const addGenerated = (objects: readonly BuiltObject[], made: BuiltObject, behavior: Behavior): readonly BuiltObject[] => {
  const { kind, metadata } = made.object;
  const isMeant = ({ object, identities }: BuiltObject): boolean =>
    object.kind === kind &&
    object.apiVersion === 'v1' &&
    identities.some(({ name, namespace }) => name === metadata.name && isSameNamespace(namespace, metadata.namespace));
  const [old, ...more] = objects.filter(isMeant);
  if (old === undefined) {
    if (behavior === 'create') return [...objects, made];
    throw new Error(`there is no ${kind} of that name to ${behavior}`);
  }
  if (behavior === 'create') throw new Error(`there is a ${kind} of that name already (behavior: merge or replace)`);
  if (more.length > 0) throw new Error(`there is more than one ${kind} of that name`);
  return objects.map((built) => (built === old ? inPlaceOf(old, made, behavior) : built));
};

const inPlaceOf = (old: BuiltObject, made: BuiltObject, behavior: 'merge' | 'replace'): BuiltObject => {
  const metadata = {
    ...made.object.metadata,
    name: old.object.metadata.name,
    ...(old.object.metadata.namespace === undefined ? {} : { namespace: old.object.metadata.namespace }),
    ...merged({ ...old.object.metadata }, { ...made.object.metadata }, ['labels', 'annotations']),
  };
  const data = behavior === 'merge' ? merged(old.object, made.object, ['data', 'binaryData']) : {};
  return {
    ...made,
    object: { ...made.object, ...data, metadata },
    identities: old.identities,
    prefixes: old.prefixes,
    suffixes: old.suffixes,
    needsHash: old.needsHash || made.needsHash,
  };
};

const merged = (old: JsonObject, made: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(
    fields.flatMap((name) => {
      const both = { ...mapIn(old, name), ...mapIn(made, name) };
      return Object.keys(both).length === 0 ? [] : [[name, both]];
    }),
  );

const mapIn = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isJsonObject(value) ? value : {};
};
