import { isClusterScoped } from '../../kubernetes/cluster-scoped-kinds.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import { groupOf } from '../object-identity.ts';
import type { ManifestProblem } from '../position.ts';
import { isSameNamespace, renamed, type BuiltObject } from './built-object.ts';
import { contentHash } from './content-hash.ts';
import { field } from './field-spec.ts';
import { referenceFields, type ReferenceFields } from './name-reference-fields.ts';

/** Gives generated objects their final names. Source: kustomize, hash transformer. */
export const nameByContent = (objects: readonly BuiltObject[]): readonly BuiltObject[] =>
  objects.map((built) => {
    const { object, needsHash } = built;
    return needsHash ? renamed(built, { name: `${object.metadata.name}-${contentHash(object)}` }) : built;
  });

/**
 * Objects that name others by what these were once called name them as they are called now. A name that several could be meant by is
 * reported and left as it is.
 *
 * Source: kustomize, name reference transformer.
 */
export const followNames = (objects: readonly BuiltObject[], report: (problem: ManifestProblem) => void): readonly BuiltObject[] => {
  const moved = new Set(objects.filter(({ identities }) => identities.length > 1).map(({ object }) => object.kind));
  const fields = referenceFields.filter(({ target }) => moved.has(target.kind));
  if (fields.length === 0) return objects;
  const byKind = Map.groupBy(objects, ({ object }) => object.kind);
  return objects.map((built) => {
    const object = fields.reduce((current: JsonObject, { target, in: places }) => {
      const candidates = (byKind.get(target.kind) ?? []).filter((other) => isCandidate(other, target, built));
      const paths = candidates.length === 0 ? [] : places.filter(([kind]) => kind === built.object.kind).flatMap(([, ...own]) => own);
      const find = (name: string, among: readonly BuiltObject[]): BuiltObject | undefined => {
        const meant = meantBy(name, among, built);
        if (meant !== 'several') return meant;
        const { kind, metadata } = built.object;
        report({
          ...built.positionOf([]),
          message: `${kind} ${metadata.name} names ${target.kind} ${name}, which may be several`,
          hint: 'name it as it is called in the end',
          leavesOut: {},
        });
        return undefined;
      };
      return paths.reduce((changed, path) => updateAt(changed, field(path), (value) => follow(value, candidates, find)), current);
    }, built.object);
    return { ...built, object: { ...built.object, ...object } };
  });
};

const isCandidate = ({ object }: BuiltObject, target: ReferenceFields['target'], referrer: BuiltObject): boolean =>
  groupOf(object.apiVersion) === target.group &&
  (isOutsideNamespaces(object) ||
    isOutsideNamespaces(referrer.object) ||
    object.kind === 'ServiceAccount' || // a RoleBinding may be about one of another namespace
    isSameNamespace(object.metadata.namespace, referrer.object.metadata.namespace)) &&
  isRoleMeant(object.kind, referrer.object);

const isOutsideNamespaces = ({ apiVersion, kind }: BuiltObject['object']): boolean => isClusterScoped(groupOf(apiVersion), kind);

/** Only `roleRef` says a kind beside the name. */
const isRoleMeant = (kind: string, referrer: JsonObject): boolean => {
  const role = referrer['roleRef'];
  return !['Role', 'ClusterRole'].includes(kind) || !isJsonObject(role) || role['kind'] === kind;
};

type Find = (name: string, among: readonly BuiltObject[]) => BuiltObject | undefined;

const follow = (reference: unknown, candidates: readonly BuiltObject[], find: Find): unknown => {
  if (isJsonArray(reference)) return reference.map((item) => follow(item, candidates, find));
  if (typeof reference === 'string') return find(reference, candidates)?.object.metadata.name ?? reference;
  if (!isJsonObject(reference) || typeof reference['name'] !== 'string') return reference;
  const { namespace } = reference;
  const meant = find(reference['name'], typeof namespace === 'string' ? ofNamespace(candidates, namespace) : candidates)?.object.metadata;
  if (meant === undefined) return reference;
  return { ...reference, name: meant.name, ...(meant.namespace === undefined ? {} : { namespace: meant.namespace }) };
};

/** Those that were written for the namespace, else those that are in it now. */
const ofNamespace = (candidates: readonly BuiltObject[], namespace: string): readonly BuiltObject[] => {
  const written = candidates.filter(({ identities: [first] }) => isSameNamespace(first.namespace, namespace));
  return written.length > 0 ? written : candidates.filter(({ object }) => isSameNamespace(object.metadata.namespace, namespace));
};

const meantBy = (name: string, candidates: readonly BuiltObject[], referrer: BuiltObject): BuiltObject | 'several' | undefined => {
  const called = candidates.filter(({ identities }) => identities.some((identity) => identity.name === name));
  const [only, ...others] = called;
  if (others.length === 0) return only;
  const beside = called.filter(({ prefixes, suffixes }) => endAlike(prefixes, referrer.prefixes) && endAlike(suffixes, referrer.suffixes));
  const names = new Set(beside.map(({ object }) => `${object.metadata.namespace ?? ''}/${object.metadata.name}`));
  return names.size > 1 ? 'several' : beside[0];
};

/** They went through the same kustomizations at last: the one's list ends as the other's. An empty one ends as an empty one only. */
const endAlike = (a: readonly string[], b: readonly string[]): boolean => {
  const shared = Math.min(a.length, b.length);
  if (shared === 0) return a.length === b.length;
  return a.slice(a.length - shared).join('\n') === b.slice(b.length - shared).join('\n');
};

const updateAt = (parent: JsonObject, path: readonly string[], update: (value: unknown) => unknown): JsonObject => {
  const [key, ...rest] = path;
  if (key === undefined || parent[key] === undefined) return parent;
  const inside = (value: unknown): unknown => {
    if (rest.length === 0) return update(value);
    if (isJsonArray(value)) return value.map(inside);
    return isJsonObject(value) ? updateAt(value, rest, update) : value;
  };
  return { ...parent, [key]: inside(parent[key]) };
};
