import type { JsonPath } from '../../kubernetes/json-pointer.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Position } from '../../manifests/position.ts';

/** An object as it was found. A `ManifestObject` is one; an object of a cluster stands in no file. */
export interface SourceObject {
  readonly object: KubernetesObject;
  readonly positionOf?: (path: JsonPath, part?: 'value' | 'key') => Position;
}

/** `llm-serving-ingress.yaml:15`; `undefined` for what stands in no file. */
export const placeOf = ({ positionOf }: SourceObject, path: JsonPath): string | undefined => {
  if (positionOf === undefined) return undefined;
  const { file, line } = positionOf(path);
  return `${file}:${line}`;
};

/** Manifests may leave it out: then it is the one they are applied to. */
export const namespaceOf = ({ metadata }: KubernetesObject): string => metadata.namespace ?? 'default';
