import type { Pod } from '../../kubernetes/pod.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import { resources } from '../../kubernetes/resource.ts';
import { isSameJson } from '../api/json.ts';
import { hardLimitsOf, usageOf, type ResourceQuota } from '../api/quota.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';

const latencyMs = 10;

/**
 * Shows in the status of quotas what their namespace uses. (Refusing what is too much is admission's.)
 *
 * Source: Kubernetes concepts, "Resource Quotas".
 */
export const startResourceQuotaController = (host: ControllerHost): void => {
  const { store } = host;
  const queue = host.queue(latencyMs, (key) => {
    const reference = referenceOf(resources.resourceQuotas, key);
    const quota = store.get<ResourceQuota>(reference);
    if (quota === undefined) return;
    const used = usageOf(store.list<Pod>({ resource: resources.pods, namespace: quota.metadata.namespace ?? '' }), store.clock.now());
    const names = Object.keys(hardLimitsOf(quota));
    const status = { hard: quota.spec?.hard ?? {}, used: Object.fromEntries(names.map((name) => [name, formatQuantity(used[name] ?? 0)])) };
    if (!isSameJson(status, quota.status)) store.updateStatus(reference, status);
  });
  const quotas = host.index<ResourceQuota>(resources.resourceQuotas, ({ metadata }) => [metadata.namespace ?? '']);
  host.watch<ResourceQuota>(resources.resourceQuotas, ({ object }) => queue.add(keyOf(object)));
  host.watch<Pod>(resources.pods, ({ object }) => {
    for (const quota of quotas.under(object.metadata.namespace ?? '')) queue.add(keyOf(quota));
  });
};
