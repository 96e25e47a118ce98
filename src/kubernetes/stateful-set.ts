import type { LabelSelector } from './label-selector.ts';
import type { Condition, KubernetesObject } from './object.ts';
import type { PodTemplate } from './pod.ts';

/**
 * The fields of a StatefulSet that poimen reads.
 *
 * Source: Kubernetes API reference, StatefulSet v1 apps.
 */
export interface StatefulSet extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly minReadySeconds?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly updateRevision?: string;
    readonly conditions?: readonly Condition[];
  };
}
