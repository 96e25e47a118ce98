import { isJsonObject } from '../../kubernetes/json.ts';
import type { BuiltObject, Transformation } from './built-object.ts';
import type { ReplicasEntry } from './kustomization.ts';

const scalableKinds: ReadonlySet<string> = new Set(['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet']);

const isNamed = ({ object, identities }: BuiltObject, { name }: ReplicasEntry): boolean =>
  scalableKinds.has(object.kind) && identities.some((identity) => identity.name === name);

export const hasReplicasTarget = (objects: readonly BuiltObject[], entry: ReplicasEntry): boolean =>
  objects.some((built) => isNamed(built, entry));

/** Source: kustomize API reference, `replicas`: every scalable object that has or had the name, whatever its kind. */
export const setReplicas =
  (entry: ReplicasEntry): Transformation =>
  (objects) =>
    objects.map((built) => {
      if (!isNamed(built, entry)) return built;
      const { object } = built;
      return { ...built, object: { ...object, spec: { ...(isJsonObject(object['spec']) ? object['spec'] : {}), replicas: entry.count } } };
    });
