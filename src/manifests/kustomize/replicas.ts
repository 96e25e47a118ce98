import { isJsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { transformEach, type BuiltObject, type Transformation } from './built-object.ts';
import type { ReplicasEntry } from './kustomization.ts';

const scalableKinds: ReadonlySet<string> = new Set(['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet']);

const isNamed = (object: KubernetesObject, { name }: ReplicasEntry): boolean =>
  scalableKinds.has(object.kind) && object.metadata.name === name;

export const hasReplicasTarget = (objects: readonly BuiltObject[], entry: ReplicasEntry): boolean =>
  objects.some(({ object }) => isNamed(object, entry));

/** Source: kustomize API reference, `replicas`: every scalable object of the name, whatever its kind. */
export const setReplicas = (entry: ReplicasEntry): Transformation =>
  transformEach((object) => {
    if (!isNamed(object, entry)) return object;
    return { ...object, spec: { ...(isJsonObject(object['spec']) ? object['spec'] : {}), replicas: entry.count } };
  });
