import { controllerOf, type KubernetesObject } from '../kubernetes/object.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Owner } from './owner.ts';

/**
 * Source: Kubernetes API reference, HorizontalPodAutoscaler v2 autoscaling.
 */
export interface HorizontalPodAutoscaler extends KubernetesObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
  };
  readonly status?: { readonly currentReplicas?: number };
}

export const scales = ({ metadata, spec }: HorizontalPodAutoscaler, reference: ObjectReference): boolean =>
  metadata.namespace === reference.namespace &&
  spec.scaleTargetRef.kind === reference.resource.kind &&
  spec.scaleTargetRef.name === reference.name;

/**
 * A HorizontalPodAutoscaler leaves a workload at 0 alone, and takes it up again as soon as it is scaled up: it counts either way.
 * Those that KEDA or KServe made are left to the checks for these.
 *
 * Source: Kubernetes, "Horizontal Pod Autoscaling", "Implicit maintenance-mode deactivation".
 */
export const autoscalersOf = (reference: ObjectReference, autoscalers: readonly HorizontalPodAutoscaler[]): readonly Owner[] =>
  autoscalers
    .filter((autoscaler) => scales(autoscaler, reference))
    .filter((autoscaler) => !['ScaledObject', 'InferenceService'].includes(controllerOf(autoscaler)?.kind ?? ''))
    .map(({ metadata, spec }) => ({
      code: 'ScaledByAutoscaler',
      reason: `${fullName(reference)} is scaled by horizontalpodautoscaler/${metadata.name} (${spec.minReplicas ?? 1} to ${spec.maxReplicas} pods), which would undo a scaling`,
      nextSteps: [
        `keep a copy, delete it, and apply it again when the hand-over is done: kubectl delete -n ${metadata.namespace} horizontalpodautoscaler/${metadata.name}`,
      ],
      effect: 'undoes',
    }));
