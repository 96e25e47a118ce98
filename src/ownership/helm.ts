import type { KubernetesObject } from '../kubernetes/object.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Owner } from './owner.ts';

/**
 * A Helm release acts only when somebody upgrades it, so it does not stand in the way; but that upgrade would undo the change.
 *
 * Source: Helm, "Labels and Annotations".
 */
export const helmOwnersOf = (reference: ObjectReference, { metadata }: KubernetesObject): readonly Owner[] => {
  if (metadata.labels?.['app.kubernetes.io/managed-by'] !== 'Helm') return [];
  const release = metadata.annotations?.['meta.helm.sh/release-name'] ?? 'of an unknown name';
  return [
    {
      code: 'ReleasedByHelm',
      reason: `${fullName(reference)} belongs to Helm release ${release}: the next upgrade undoes the change unless its values have it`,
      nextSteps: [],
      effect: 'mention',
    },
  ];
};
