import { isJsonArray, isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { BuiltObject } from './built-object.ts';
import { configMapHash } from './content-hash.ts';
import { isSameNamespace } from './patch-target.ts';

/** Where each kind keeps its pod's spec. */
const podSpecPaths: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  PodTemplate: ['template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** Fields of a pod's spec whose value is an object that names a ConfigMap. */
const configMapFields: ReadonlySet<string> = new Set(['configMap', 'configMapKeyRef', 'configMapRef']);

/**
 * Gives generated ConfigMaps their final names, and changes the pods that use them in the same namespace.
 *
 * Source: kustomize, hash transformer and name references.
 */
export const nameByContent = (objects: readonly BuiltObject[]): readonly BuiltObject[] => {
  const renamed = objects
    .filter(({ needsHash }) => needsHash)
    .map(({ object }) => ({
      namespace: object.metadata.namespace,
      name: object.metadata.name,
      newName: `${object.metadata.name}-${configMapHash(object)}`,
    }));
  if (renamed.length === 0) return objects;
  return objects.map((built) => {
    const { object } = built;
    const newNames = new Map(
      renamed
        .filter(({ namespace }) => isSameNamespace(namespace, object.metadata.namespace))
        .map(({ name, newName }) => [name, newName] as const),
    );
    const own = built.needsHash ? newNames.get(object.metadata.name) : undefined;
    if (own !== undefined) return { ...built, object: { ...object, metadata: { ...object.metadata, name: own } } };
    return { ...built, object: withReferences(object, newNames) };
  });
};

const withReferences = (object: KubernetesObject, newNames: ReadonlyMap<string, string>): KubernetesObject => {
  const path = podSpecPaths[object.kind];
  return path === undefined ? object : { ...object, ...updateAt(object, path, newNames) };
};

const updateAt = (parent: JsonObject, path: readonly string[], newNames: ReadonlyMap<string, string>): JsonObject => {
  const [key, ...rest] = path;
  if (key === undefined) return inFieldsOf(parent, newNames);
  const child = parent[key];
  return isJsonObject(child) ? { ...parent, [key]: updateAt(child, rest, newNames) } : parent;
};

const inFieldsOf = (object: JsonObject, newNames: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, configMapFields.has(key) ? rename(value, newNames) : inValue(value, newNames)]),
  );

const inValue = (value: unknown, newNames: ReadonlyMap<string, string>): unknown => {
  if (isJsonArray(value)) return value.map((item) => inValue(item, newNames));
  return isJsonObject(value) ? inFieldsOf(value, newNames) : value;
};

const rename = (reference: unknown, newNames: ReadonlyMap<string, string>): unknown => {
  if (!isJsonObject(reference) || typeof reference['name'] !== 'string') return reference;
  return { ...reference, name: newNames.get(reference['name']) ?? reference['name'] };
};
