import type { KubernetesObject } from '../../kubernetes/object.ts';
import { isTerminal, type Pod, type PodSpec, type ResourceList } from '../../kubernetes/pod.ts';
import { amountsOf, podRequests, type ResourceAmounts } from '../../kubernetes/pod-requests.ts';
import { addQuantities } from '../../kubernetes/quantity.ts';

/** The fields of a ResourceQuota that the twin reads. Scopes are not among them. Source: Kubernetes API reference, ResourceQuota v1 core. */
export interface ResourceQuota extends KubernetesObject {
  readonly spec?: { readonly hard?: ResourceList };
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

/**
 * What pods use, by the names that quotas have for it: `pods`, `requests.cpu`, `cpu`, `limits.memory`, `requests.nvidia.com/gpu`.
 * Ended pods use nothing, and neither do Terminating ones whose grace is over.
 *
 * Source: Kubernetes concepts, "Resource Quotas"; kubernetes `pkg/quota/v1/evaluator/core/pods.go`.
 */
export const usageOf = (pods: readonly Pod[], now: number): ResourceAmounts => {
  const total: Record<string, number> = {};
  for (const pod of pods) {
    if (isTerminal(pod) || isOutOfGrace(pod, now)) continue;
    for (const [name, amount] of Object.entries(usageOfPod(pod))) total[name] = addQuantities(total[name] ?? 0, amount);
  }
  return total;
};

const usageOfPod = ({ spec }: Pod): ResourceAmounts => {
  const requests = Object.entries(podRequests(spec));
  const limits = Object.entries(podRequests(limitsAsRequests(spec)));
  return {
    pods: 1,
    'count/pods': 1,
    ...Object.fromEntries(requests.filter(([name]) => name === 'cpu' || name === 'memory')),
    ...Object.fromEntries(requests.map(([name, amount]) => [`requests.${name}`, amount])),
    ...Object.fromEntries(limits.map(([name, amount]) => [`limits.${name}`, amount])),
  };
};

const limitsAsRequests = (spec: PodSpec): PodSpec => {
  const limited = (containers: PodSpec['containers']): PodSpec['containers'] =>
    containers.map((container) => ({ ...container, resources: { requests: container.resources?.limits ?? {} } }));
  const { overhead: _, resources: _pod, ...rest } = spec;
  return { ...rest, containers: limited(spec.containers), initContainers: limited(spec.initContainers ?? []) };
};

const isOutOfGrace = ({ metadata }: Pod, now: number): boolean =>
  metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) < now;

export const hardLimitsOf = ({ spec }: ResourceQuota): ResourceAmounts => amountsOf(spec?.hard);
