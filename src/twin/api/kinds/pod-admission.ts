import type { KubernetesObject } from '../../../kubernetes/object.ts';
import type { Pod, ResourceList, Toleration } from '../../../kubernetes/pod.ts';
import { formatQuantity } from '../../../kubernetes/quantity.ts';
import { resources } from '../../../kubernetes/resource.ts';
import { hardLimitsOf, usageOf, type ResourceQuota } from '../quota.ts';
import { denied, requestOf } from '../refusals.ts';
import type { Store } from '../store.ts';

type Reader = Pick<Store, 'get' | 'list' | 'clock'>;

interface RuntimeClass extends KubernetesObject {
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: { readonly nodeSelector?: Readonly<Record<string, string>>; readonly tolerations?: readonly Toleration[] };
}

interface PriorityClass extends KubernetesObject {
  readonly value?: number;
}

/**
 * A new pod with what its RuntimeClass and PriorityClass add, if they are there and no quota speaks against it. Throws `ApiError` 403.
 *
 * Source: kubernetes admission plug-ins RuntimeClass, Priority, ResourceQuota.
 */
export const admitPod = (pod: Pod, store: Reader): Pod => {
  const admitted = withPriority(withRuntimeClass(pod, store), store);
  refuseOverQuota(admitted, store);
  return admitted;
};

const refuse = ({ metadata }: Pod, reason: string): Error => {
  const { namespace = '', name } = metadata;
  return denied(requestOf('create', { resource: resources.pods, namespace, name }), `pods "${name}" is forbidden: ${reason}`, {
    name,
    kind: 'pods',
  });
};

const withRuntimeClass = (pod: Pod, store: Reader): Pod => {
  const { runtimeClassName: name, nodeSelector, tolerations = [] } = pod.spec;
  if (name === undefined) return pod;
  const runtimeClass = store.get<RuntimeClass>({ resource: resources.runtimeClasses, name });
  if (runtimeClass === undefined) throw refuse(pod, `pod rejected: RuntimeClass "${name}" not found`);
  const { overhead, scheduling } = runtimeClass;
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(overhead?.podFixed === undefined ? {} : { overhead: overhead.podFixed }),
      ...(scheduling?.nodeSelector === undefined ? {} : { nodeSelector: { ...nodeSelector, ...scheduling.nodeSelector } }),
      ...(scheduling?.tolerations === undefined ? {} : { tolerations: [...tolerations, ...scheduling.tolerations] }),
    },
  };
};

const withPriority = (pod: Pod, store: Reader): Pod => {
  const { priorityClassName: name } = pod.spec;
  if (name === undefined) return pod;
  const priorityClass = store.get<PriorityClass>({ resource: resources.priorityClasses, name });
  const priority = priorityClass?.value ?? systemPriorities[name];
  if (priority === undefined) throw refuse(pod, `no PriorityClass with name ${name} was found`);
  return { ...pod, spec: { ...pod.spec, priority } };
};

/** The two that every cluster has. */
const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

const refuseOverQuota = (pod: Pod, store: Reader): void => {
  const namespace = pod.metadata.namespace ?? '';
  const quotas = store.list<ResourceQuota>({ resource: resources.resourceQuotas, namespace });
  if (quotas.length === 0) return;
  const now = store.clock.now();
  const used = usageOf(store.list<Pod>({ resource: resources.pods, namespace }), now);
  const requested = usageOf([pod], now);
  for (const quota of quotas) {
    const hard = hardLimitsOf(quota);
    const exceeded = Object.keys(hard)
      .filter((name) => (requested[name] ?? 0) > 0 && (used[name] ?? 0) + (requested[name] ?? 0) > (hard[name] ?? 0))
      .toSorted();
    if (exceeded.length === 0) continue;
    const show = (amounts: Readonly<Record<string, number>>): string =>
      exceeded.map((name) => `${name}=${formatQuantity(amounts[name] ?? 0)}`).join(',');
    throw refuse(pod, `exceeded quota: ${quota.metadata.name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`);
  }
};
