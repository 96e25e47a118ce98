import type { Pod } from '../../kubernetes/pod.ts';
import type { ReplicaSet } from '../../kubernetes/replica-set.ts';
import { resources } from '../../kubernetes/resource.ts';
import { writingAs, type Store } from '../api/store.ts';
import { claimKeys } from './claim.ts';
import { ControllerHost } from './controller-host.ts';
import { startDeploymentController } from './deployment.ts';
import { namespaceKey, startEndpointSliceController } from './endpoint-slice.ts';
import { kubeletKeys, startKubelets } from './kubelet.ts';
import { startNodeController } from './node.ts';
import { startPersistentVolumeController } from './persistent-volume.ts';
import { defaultPodTimes, type PodTimes } from './pod-script.ts';
import { imageIdsFrom } from './pod-status.ts';
import { startReplicaSetController } from './replica-set.ts';
import { startResourceQuotaController } from './resource-quota.ts';
import { schedulingKeys, startScheduler } from './scheduler.ts';

export interface ControllerOptions {
  /** How long pods take that say nothing in their annotations. Default: a second each. */
  readonly podTimes?: Partial<PodTimes>;
  /** From a change of a pod or a Service until the EndpointSlices show it. Default 5 ms. */
  readonly endpointLagMs?: number;
  /** What images resolve to, by full name; others get a digest that is made from their name. */
  readonly imageDigests?: ReadonlyMap<string, string>;
}

/**
 * Brings the objects of a store to life. Everything runs on the store's clock, a few virtual milliseconds after its cause, in an order
 * that is the same in each run. Nothing is remembered that the objects do not say, so controllers may be stopped and started again at
 * any moment.
 */
export const startControllers = (
  store: Store,
  { podTimes = {}, endpointLagMs = 5, imageDigests = new Map() }: ControllerOptions = {},
): { stop(): void } => {
  const host = new ControllerHost(writingAs(store, 'kube-controller-manager'));
  const pods = host.index<Pod>(resources.pods, (pod) => [
    ...claimKeys(pod),
    ...schedulingKeys(pod),
    ...kubeletKeys(pod),
    namespaceKey(pod.metadata.namespace ?? ''),
  ]);
  const replicaSets = host.index<ReplicaSet>(resources.replicaSets, claimKeys);

  startNodeController(host, pods);
  startPersistentVolumeController(host);
  startDeploymentController(host, { replicaSets, pods });
  startReplicaSetController(host, replicaSets, pods);
  startScheduler(host, pods);
  startResourceQuotaController(host);
  startKubelets(host, pods, { times: { ...defaultPodTimes, ...podTimes }, imageIdOf: imageIdsFrom(imageDigests) });
  startEndpointSliceController(host, pods, endpointLagMs);
  return { stop: () => host.stop() };
};
