import { isDeepStrictEqual } from 'node:util';
import type { LabelSelector } from './label-selector.ts';
import { controllerOf, type Condition, type KubernetesObject } from './object.ts';
import type { PodTemplate } from './pod.ts';
import type { PodTrouble } from './pod-trouble.ts';

/**
 * The fields of a ReplicaSet that poimen reads.
 *
 * Source: Kubernetes API reference, ReplicaSet v1 apps.
 */
export interface ReplicaSet extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
  };
  readonly status?: {
    /** Terminating pods leave it at once. */
    readonly replicas: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly fullyLabeledReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const podTemplateHashLabel = 'pod-template-hash';

/** The rollout that this ReplicaSet (or Deployment) stands for; 0 when the controller has not numbered it yet. */
export const revisionOf = (object: KubernetesObject): number => {
  const revision = Number(object.metadata.annotations?.[revisionAnnotation]);
  return Number.isInteger(revision) ? revision : 0;
};

/**
 * The ReplicaSet that runs the Deployment's present template: owned by it, same template but for the hash; the oldest, if
 * there are several. `undefined` until the controller has made it.
 *
 * Source: Kubernetes, `FindNewReplicaSet` of pkg/controller/deployment.
 */
export const currentReplicaSet = (
  deployment: KubernetesObject & { readonly spec: { readonly template: PodTemplate } },
  replicaSets: readonly ReplicaSet[],
): ReplicaSet | undefined =>
  replicaSets
    .filter((replicaSet) => controllerOf(replicaSet)?.uid === deployment.metadata.uid)
    .filter((replicaSet) => isDeepStrictEqual(withoutHash(replicaSet.spec.template), withoutHash(deployment.spec.template)))
    .toSorted((a, b) => Date.parse(a.metadata.creationTimestamp ?? '') - Date.parse(b.metadata.creationTimestamp ?? ''))[0];

const withoutHash = (template: PodTemplate): PodTemplate => {
  const { [podTemplateHashLabel]: _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
};

const settlingMs = 60_000;

/** Why no pods are made. A refusal by quota or policy is final; anything else may pass (a webhook that is down). */
export const replicaSetTroubles = (replicaSet: ReplicaSet): readonly PodTrouble[] =>
  (replicaSet.status?.conditions ?? [])
    .filter((condition) => condition.type === 'ReplicaFailure' && condition.status === 'True')
    .map((condition) => ({
      code: condition.reason ?? 'ReplicaFailure',
      object: `replicaset/${replicaSet.metadata.name}`,
      message: condition.message ?? 'the controller gave no message',
      graceMs: condition.reason === 'FailedCreate' && / is forbidden: /.test(condition.message ?? '') ? 0 : settlingMs,
    }));
