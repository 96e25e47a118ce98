import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ManifestObject } from '../manifest-object.ts';

/** An object on its way through the transformations. */
export interface BuiltObject extends ManifestObject {
  /** What it was called so far, and is now: a patch or a reference may name it by any of them. */
  readonly identities: readonly [Identity, ...Identity[]];
  /** What was put before and behind its name, the innermost first. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
  /** Its name gets a suffix from its content at the very end. */
  readonly needsHash: boolean;
}

export interface Identity {
  readonly namespace: string | undefined;
  readonly name: string;
}

export const builtObject = (manifest: ManifestObject): BuiltObject => ({
  object: manifest.object,
  file: manifest.file,
  line: manifest.line,
  positionOf: (path, part) => manifest.positionOf(path, part),
  identities: [identityOf(manifest.object)],
  prefixes: [],
  suffixes: [],
  needsHash: false,
});

export const identityOf = ({ metadata }: KubernetesObject): Identity => ({ namespace: metadata.namespace, name: metadata.name });

/** The same object under another name or in another namespace. */
export const renamed = (built: BuiltObject, change: { readonly name?: string; readonly namespace?: string }): BuiltObject => {
  const object = { ...built.object, metadata: { ...built.object.metadata, ...change } };
  return { ...built, object, identities: [...built.identities, identityOf(object)] };
};

/** Absent and `default` are one namespace. */
export const isSameNamespace = (a: string | undefined, b: string | undefined): boolean => (a ?? 'default') === (b ?? 'default');

/** One transformation: pure, over all objects. */
export type Transformation = (objects: readonly BuiltObject[]) => readonly BuiltObject[];

export const transformEach =
  (transform: (object: KubernetesObject) => KubernetesObject): Transformation =>
  (objects) =>
    objects.map((built) => ({ ...built, object: transform(built.object) }));
