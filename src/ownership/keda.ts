import type { KubernetesObject } from '../kubernetes/object.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Owner } from './owner.ts';

/** Source: KEDA, "ScaledObject specification". */
export interface ScaledObject extends KubernetesObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind?: string; readonly name: string };
    readonly minReplicaCount?: number;
    readonly maxReplicaCount?: number;
  };
}

export const isTargetOf = ({ metadata, spec }: ScaledObject, reference: ObjectReference): boolean =>
  metadata.namespace === reference.namespace &&
  (spec.scaleTargetRef.kind ?? 'Deployment') === reference.resource.kind &&
  spec.scaleTargetRef.name === reference.name;

const pausedAnnotations: readonly string[] = ['autoscaling.keda.sh/paused', 'autoscaling.keda.sh/paused-replicas'];

export const isPausedScaledObject = ({ metadata }: ScaledObject): boolean =>
  pausedAnnotations.some((name) => metadata.annotations?.[name] !== undefined && metadata.annotations[name] !== 'false');

/** Refused paused or not: `paused-replicas` holds the workload at a number, and one that is un-paused meanwhile undoes the change. */
export const scaledObjectsOf = (reference: ObjectReference, scaledObjects: readonly ScaledObject[]): readonly Owner[] =>
  scaledObjects
    .filter((scaledObject) => isTargetOf(scaledObject, reference))
    .map((scaledObject) => {
      const { name, namespace } = scaledObject.metadata;
      const paused = isPausedScaledObject(scaledObject) ? ' (paused now)' : '';
      return {
        code: 'ScaledByKeda',
        reason: `${fullName(reference)} is scaled by KEDA through scaledobject/${name}${paused}, which would undo a scaling`,
        nextSteps: [
          `keep a copy, delete it, and apply it again when the hand-over is done: kubectl delete -n ${namespace} scaledobject/${name}`,
        ],
        effect: 'undoes',
      };
    });
