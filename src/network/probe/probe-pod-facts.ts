import type { LabelSelector } from '../../kubernetes/label-selector.ts';
import type { Node } from '../../kubernetes/node.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Pod } from '../../kubernetes/pod.ts';
import type { ObjectReference } from '../../kubernetes/reference.ts';
import type { Service } from '../../kubernetes/service.ts';
import type { PodDisruptionBudget } from '../../kubernetes/pod-disruption-budget.ts';
import type { PolicyInput } from '../policy/policy-input.ts';

/** Everything that decides over a probe pod for a client. */
export interface ProbePodFacts {
  readonly client: ObjectReference;
  /** The client itself: a workload, or a pod that none made. `undefined`: there is none of the name. */
  readonly object: KubernetesObject | undefined;
  /** The client's, without probe pods. */
  readonly pods: readonly Pod[];
  /** Whatever may put a pod of the client's namespace behind an address, take it over, or count it. */
  readonly services: Readable<Service>;
  readonly adopters: Readable<Adopter>;
  readonly disruptionBudgets: Readable<PodDisruptionBudget>;
  readonly autoscalers: Readable<Autoscaler>;
  /** Of all namespaces and all kinds that are evaluated. */
  readonly policies: Readable<PolicyInput>;
  readonly namespaces: Readable<KubernetesObject>;
  /** Those that the client's pods are on. */
  readonly nodes: Readable<Node>;
}

/** `undefined`: this user may not read them, or the server could not say. */
export type Readable<T> = readonly T[] | undefined;

/**
 * What takes over pods without a controller whose labels it selects.
 *
 * Source: Kubernetes, "ReplicaSet", "Non-Template Pod acquisitions"; `pkg/controller/controller_ref_manager.go`.
 */
export interface Adopter {
  readonly reference: ObjectReference;
  readonly selector: LabelSelector;
}

/** Source: Kubernetes API reference, HorizontalPodAutoscaler v2 autoscaling. */
export interface Autoscaler extends KubernetesObject {
  readonly spec: { readonly scaleTargetRef: { readonly kind: string; readonly name: string } };
}
