import type { LabelSelector } from './label-selector.ts';
import type { KubernetesObject } from './object.ts';

/**
 * The fields of a PodDisruptionBudget that poimen reads.
 *
 * Source: Kubernetes API reference, PodDisruptionBudget v1 policy.
 */
export interface PodDisruptionBudget extends KubernetesObject {
  readonly spec: {
    readonly selector?: LabelSelector;
    /** A number, or a share: `50%`. */
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
  };
}

/**
 * Whether it asks the pods' controllers how many there should be; one that it cannot ask stops every eviction.
 *
 * Source: Kubernetes, `getExpectedPodCount` of pkg/controller/disruption.
 */
export const asksControllers = ({ spec }: PodDisruptionBudget): boolean =>
  spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string';
