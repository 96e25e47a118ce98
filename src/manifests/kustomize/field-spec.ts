import { isJsonArray, isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { groupOf } from '../object-identity.ts';

/** A map in objects of a kind that a transformation adds to. Lists on the way are gone through. */
export interface FieldSpec {
  /** Absent: every kind. */
  readonly kind?: string;
  /** Absent: the kind in any group. */
  readonly group?: string;
  readonly path: readonly string[];
  /** Makes the map, and those around it, where they are missing; a list, marked `[]`, is never made. */
  readonly create: boolean;
}

/** The object with the pairs set in each map that the specs name. */
export const addPairs = (
  object: KubernetesObject,
  specs: readonly FieldSpec[],
  pairs: Readonly<Record<string, string>>,
): KubernetesObject => specs.filter((spec) => isMeant(spec, object)).reduce((current, spec) => addBySpec(current, spec, pairs), object);

const isMeant = ({ kind, group }: FieldSpec, object: KubernetesObject): boolean =>
  (kind === undefined || kind === object.kind) && (group === undefined || group === groupOf(object.apiVersion));

const addBySpec = (object: KubernetesObject, { path, create }: FieldSpec, pairs: Readonly<Record<string, string>>): KubernetesObject => ({
  ...object,
  ...addAt(object, path, create, pairs),
});

const addAt = (parent: JsonObject, path: readonly string[], create: boolean, pairs: Readonly<Record<string, string>>): JsonObject => {
  const [key, ...rest] = path;
  if (key === undefined) return { ...parent, ...pairs };
  if (key.endsWith('[]')) {
    const list = key.slice(0, -2);
    return isJsonArray(parent[list]) ? addAt(parent, [list, ...rest], create, pairs) : parent;
  }
  const child = parent[key];
  if (isJsonArray(child)) return { ...parent, [key]: child.map((item) => (isJsonObject(item) ? addAt(item, rest, create, pairs) : item)) };
  if (isJsonObject(child)) return { ...parent, [key]: addAt(child, rest, create, pairs) };
  return create ? { ...parent, [key]: addAt({}, rest, create, pairs) } : parent;
};

/** `spec/template/metadata/labels` as a path. */
export const field = (path: string): readonly string[] => path.split('/');
