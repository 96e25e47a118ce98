import type { KubernetesObject } from '../kubernetes/object.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Owner } from './owner.ts';

const trackingAnnotation = 'argocd.argoproj.io/tracking-id';
const trackingLabel = 'argocd.argoproj.io/instance';

/** The names under which Argo CD writes, by server-side and by client-side apply. */
const managers: ReadonlySet<string | undefined> = new Set(['argocd-controller', 'argocd-application-controller']);

/**
 * The Argo CD application that syncs an object. A tracking id that names another object was copied along with its annotations and
 * says nothing.
 *
 * Source: Argo CD, "Resource Tracking".
 */
export const argoCdOwnersOf = (reference: ObjectReference, object: KubernetesObject): readonly Owner[] => {
  const { annotations, labels, managedFields } = object.metadata;
  const tracked = applicationOf(annotations?.[trackingAnnotation], reference) ?? labels?.[trackingLabel];
  if (tracked !== undefined) return [syncedBy(reference, `Argo CD application ${tracked}`)];
  const manager = managedFields?.find((entry) => managers.has(entry.manager))?.manager;
  return manager === undefined ? [] : [syncedBy(reference, `probably Argo CD (it was written by ${manager})`)];
};

/** `APPLICATION:GROUP/KIND:NAMESPACE/NAME` */
const applicationOf = (trackingId: string | undefined, { resource, namespace = '', name }: ObjectReference): string | undefined => {
  const [application, kind, object] = trackingId?.split(':') ?? [];
  return kind === `${resource.group}/${resource.kind}` && object === `${namespace}/${name}` ? application : undefined;
};

const syncedBy = (reference: ObjectReference, who: string): Owner => ({
  code: 'SyncedByArgoCd',
  reason: `${fullName(reference)} is synced by ${who}, which would undo the change at its next sync`,
  nextSteps: ['make the change in git, or take the object out of the application before the hand-over'],
  effect: 'undoes',
});
