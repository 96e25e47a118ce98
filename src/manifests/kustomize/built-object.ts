import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ManifestObject } from '../manifest-object.ts';

/** An object on its way through the transformations. */
export interface BuiltObject extends ManifestObject {
  /** Every namespace it had so far: a patch may name it by any of them. */
  readonly namespaces: readonly (string | undefined)[];
  /** Its name gets a suffix from its content at the very end. */
  readonly needsHash: boolean;
}

export const builtObject = (manifest: ManifestObject): BuiltObject => ({
  object: manifest.object,
  file: manifest.file,
  line: manifest.line,
  positionOf: (path, part) => manifest.positionOf(path, part),
  namespaces: [manifest.object.metadata.namespace],
  needsHash: false,
});

/** One transformation: pure, over all objects. */
export type Transformation = (objects: readonly BuiltObject[]) => readonly BuiltObject[];

export const transformEach =
  (transform: (object: KubernetesObject) => KubernetesObject): Transformation =>
  (objects) =>
    objects.map((built) => ({ ...built, object: transform(built.object) }));
