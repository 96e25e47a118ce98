import type { KubernetesObject } from '../kubernetes/object.ts';
import type { ObjectReference } from '../kubernetes/reference.ts';
import { argoCdOwnersOf } from './argo-cd.ts';
import { autoscalersOf, type HorizontalPodAutoscaler } from './autoscaler.ts';
import { controllersOf } from './controller.ts';
import { fluxOwnersOf } from './flux.ts';
import { helmOwnersOf } from './helm.ts';
import { scaledObjectsOf, type ScaledObject } from './keda.ts';
import { kserveOwnersOf, type InferenceService } from './kserve.ts';
import type { Owner } from './owner.ts';

/** Objects near an object that may decide over it. */
export interface Neighbours {
  readonly autoscalers: readonly HorizontalPodAutoscaler[];
  readonly scaledObjects: readonly ScaledObject[];
  readonly inferenceServices: readonly InferenceService[];
}

/** Everybody who decides over an object besides the person at the keyboard. */
export const ownersOf = (
  reference: ObjectReference,
  object: KubernetesObject,
  { autoscalers, scaledObjects, inferenceServices }: Neighbours,
): readonly Owner[] => [
  ...autoscalersOf(reference, autoscalers),
  ...scaledObjectsOf(reference, scaledObjects),
  ...kserveOwnersOf(reference, object, inferenceServices),
  ...controllersOf(reference, object),
  ...argoCdOwnersOf(reference, object),
  ...fluxOwnersOf(reference, object),
  ...helmOwnersOf(reference, object),
];
