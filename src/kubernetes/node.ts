import { comparesAs } from './label-selector.ts';
import type { Condition, KubernetesObject } from './object.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec, ResourceList, TaintEffect, Toleration } from './pod.ts';
import { amountsOf, type ResourceAmounts } from './pod-requests.ts';

/**
 * The fields of a Node that poimen reads.
 *
 * Source: Kubernetes API reference, Node v1 core.
 */
export interface Node extends KubernetesObject {
  readonly spec?: {
    /** Cordoned. */
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly podCIDR?: string;
  };
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    /** The largest ones, 50 by default. */
    readonly images?: readonly { readonly names?: readonly string[] | null }[];
  };
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: TaintEffect;
  readonly timeAdded?: string;
}

/** Not cordoned. */
export const isSchedulable = (node: Node): boolean => node.spec?.unschedulable !== true;

export const isNodeReady = (node: Node): boolean =>
  node.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

/** What pods can book, in base units. A node without `allocatable` offers its capacity. */
export const allocatableOf = (node: Node): ResourceAmounts => amountsOf(node.status?.allocatable ?? node.status?.capacity);

/** The taints that keep the pod off the node; PreferNoSchedule ones only make it less liked. */
export const untoleratedTaints = (pod: { readonly spec: PodSpec }, node: Node): readonly Taint[] =>
  (node.spec?.taints ?? [])
    .filter((taint) => taint.effect !== 'PreferNoSchedule')
    .filter((taint) => !(pod.spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)));

/** Source: Kubernetes, "Taints and Tolerations". An empty key with Exists, and an empty effect, stand for all. */
const tolerates = (toleration: Toleration, taint: Taint): boolean => {
  if ((toleration.effect ?? '') !== '' && toleration.effect !== taint.effect) return false;
  const key = toleration.key ?? '';
  if (toleration.operator === 'Exists') return key === '' || key === taint.key;
  return key === taint.key && (toleration.value ?? '') === (taint.value ?? '');
};

/** `nodeSelector` and the required node affinity together: whether the pod may land on the node by its own wish. */
export const matchesNode = (pod: { readonly spec: PodSpec }, node: Node): boolean =>
  matchesNodeSelector(pod, node) && matchesNodeAffinity(pod, node);

export const matchesNodeSelector = (pod: { readonly spec: PodSpec }, node: Node): boolean =>
  Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => node.metadata.labels?.[key] === value);

/**
 * The required part of the node affinity: one term has to match, and an empty term matches nothing.
 *
 * Source: Kubernetes, "Assigning Pods to Nodes", "Node affinity"; API reference, NodeSelectorTerm.
 */
export const matchesNodeAffinity = (pod: { readonly spec: PodSpec }, node: Node): boolean => {
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
};

const matchesTerm = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean =>
  matchExpressions.length + matchFields.length > 0 &&
  matchExpressions.every((requirement) => matchesRequirement(requirement, node.metadata.labels?.[requirement.key])) &&
  matchFields.every((requirement) => requirement.key === 'metadata.name' && matchesRequirement(requirement, node.metadata.name));

const matchesRequirement = ({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean => {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt':
      return comparesAs(operator, value, values[0]);
  }
};
