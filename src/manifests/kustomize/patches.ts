import { isBuiltIn } from '../../kubernetes/built-in-groups.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import { applyJsonPatch } from '../../kubernetes/json-patch.ts';
import { applyMergePatch } from '../../kubernetes/merge-patch.ts';
import { isKubernetesObject, type KubernetesObject } from '../../kubernetes/object.ts';
import type { JsonPatchOperation } from '../../kubernetes/patch.ts';
import { applyStrategicMergePatch } from '../../kubernetes/strategic-merge-patch.ts';
import { groupOf } from '../object-identity.ts';
import type { ParsedYamlStream } from '../yaml.ts';
import { isSameNamespace, type BuiltObject } from './built-object.ts';
import type { PatchTarget } from './kustomization.ts';
import { isTarget } from './patch-target.ts';

/** Applies one entry of `patches`. Throws an Error that says what is wrong with it. */
export const applyPatchEntry = (
  objects: readonly BuiltObject[],
  text: ParsedYamlStream,
  target: PatchTarget | undefined,
): readonly BuiltObject[] => {
  const values = text.documents.map(({ value }) => value);
  const [first, ...more] = values;
  if (isJsonArray(first)) {
    if (target === undefined) throw new Error('a JSON Patch needs a target');
    if (more.length > 0) throw new Error('a second document behind a JSON Patch');
    const operations = first.map(operationOf);
    return patchEach(
      objects,
      (built) => isTarget(target, built),
      (object) => applyJsonPatch(object, operations),
    );
  }
  if (first === undefined) throw new Error('the patch is empty');
  if (target !== undefined && more.length > 0) throw new Error('several strategic merge patches cannot share a target');
  return values.reduce((current: readonly BuiltObject[], value) => {
    if (!isJsonObject(value)) throw new Error('a patch is an object (strategic merge) or a list (JSON Patch)');
    return applyMerge(current, value, target);
  }, objects);
};

const applyMerge = (objects: readonly BuiltObject[], patch: JsonObject, target: PatchTarget | undefined): readonly BuiltObject[] => {
  const isMeant = (built: BuiltObject): boolean => (target === undefined ? isNamedBy(patch, built) : isTarget(target, built));
  if (patch['$patch'] === 'delete') {
    requireSome(objects, isMeant);
    return objects.filter((built) => !isMeant(built));
  }
  const body = withoutIdentity(patch);
  return patchEach(objects, isMeant, (object) => {
    // Of a custom resource nobody knows the merge keys: its lists are replaced.
    if (!isBuiltIn({ group: groupOf(object.apiVersion) })) return applyMergePatch(object, body);
    return applyStrategicMergePatch(object, body, { kind: object.kind, listOrder: 'patchFirst' });
  });
};

const patchEach = (
  objects: readonly BuiltObject[],
  isMeant: (built: BuiltObject) => boolean,
  patch: (object: KubernetesObject) => unknown,
): readonly BuiltObject[] => {
  requireSome(objects, isMeant);
  return objects.map((built) => {
    if (!isMeant(built)) return built;
    const object = patch(built.object);
    if (!isKubernetesObject(object)) throw new Error('the patch leaves no object with apiVersion, kind and metadata.name');
    return { ...built, object };
  });
};

/** kustomize lets a target that selects nothing pass; here it is taken for a mistake. */
const requireSome = (objects: readonly BuiltObject[], isMeant: (built: BuiltObject) => boolean): void => {
  if (!objects.some(isMeant)) throw new Error('no object that it applies to');
};

/** A patch without target names its object itself. */
const isNamedBy = (patch: JsonObject, { object, identities }: BuiltObject): boolean => {
  const metadata = isJsonObject(patch['metadata']) ? patch['metadata'] : {};
  const { namespace } = metadata;
  return (
    patch['apiVersion'] === object.apiVersion &&
    patch['kind'] === object.kind &&
    identities.some(
      (identity) =>
        identity.name === metadata['name'] && isSameNamespace(identity.namespace, typeof namespace === 'string' ? namespace : undefined),
    )
  );
};

/** What names the object is no change to it. */
const withoutIdentity = ({ apiVersion: _version, kind: _kind, metadata, ...fields }: JsonObject): JsonObject => {
  if (metadata === undefined) return fields;
  if (!isJsonObject(metadata)) return { ...fields, metadata };
  const { name: _name, namespace: _namespace, ...rest } = metadata;
  return { ...fields, metadata: rest };
};

const operationOf = (operation: unknown): JsonPatchOperation => {
  if (!isJsonObject(operation) || typeof operation['path'] !== 'string') throw new Error('each operation of a JSON Patch has op and path');
  const { op, path, value } = operation;
  if (op === 'remove') return { op, path };
  if (op === 'add' || op === 'replace' || op === 'test') return { op, path, value };
  throw new Error(`operation ${String(op)} of JSON Patch is not supported here`);
};
