import { isBuiltIn } from './built-in-groups.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { isKubernetesObject, type KubernetesObject } from './object.ts';
import { PatchError } from './patch-error.ts';
import type { Patch } from './patch.ts';
import type { Resource } from './resource.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

export { PatchError, type PatchErrorCode } from './patch-error.ts';

/**
 * The object as the patch makes it; the given one stays as it is. Nothing is validated or defaulted: that is the server's part.
 *
 * Throws `PatchError`. Strategic merge needs the kind's schema, which custom resources do not have: `UnsupportedMediaType`.
 * Source: Kubernetes API concepts, "Patch and apply".
 */
export const applyPatch = (object: KubernetesObject, patch: Patch, resource: Resource): KubernetesObject => {
  const patched = apply(object, patch, resource);
  if (!isKubernetesObject(patched)) throw new PatchError('Malformed', 'the patch leaves no object with apiVersion, kind and metadata.name');
  return patched;
};

const apply = (object: KubernetesObject, patch: Patch, resource: Resource): unknown => {
  switch (patch.type) {
    case 'json':
      return applyJsonPatch(object, patch.operations);
    case 'merge':
      return applyMergePatch(object, bodyOf(patch.body));
    case 'strategic':
      if (!isBuiltIn(resource)) {
        throw new PatchError(
          'UnsupportedMediaType',
          `strategic merge patch is not supported for ${resource.kind} (${resource.group}), which is a custom resource`,
        );
      }
      return applyStrategicMergePatch(object, bodyOf(patch.body), { kind: resource.kind, listOrder: 'server' });
  }
};

const bodyOf = (body: unknown): JsonObject => {
  if (!isJsonObject(body)) throw new PatchError('Malformed', 'the body of a merge patch has to be an object');
  return body;
};
