import { isPaused, type Deployment } from '../../kubernetes/deployment.ts';
import { controllerOf } from '../../kubernetes/object.ts';
import { isTerminating, type Pod } from '../../kubernetes/pod.ts';
import type { ReplicaSet } from '../../kubernetes/replica-set.ts';
import { resources } from '../../kubernetes/resource.ts';
import { claim, ownerKey } from './claim.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';
import { DeploymentSync } from './deployment-sync.ts';
import type { ObjectIndex } from './object-index.ts';

const latencyMs = 3;

export interface DeploymentControllerIndexes {
  readonly replicaSets: ObjectIndex<ReplicaSet>;
  readonly pods: ObjectIndex<Pod>;
}

/**
 * Makes ReplicaSets from Deployments and moves pods between them by changing their numbers.
 *
 * Source: Kubernetes concepts, "Deployments"; kubernetes `pkg/controller/deployment`.
 */
export const startDeploymentController = (host: ControllerHost, { replicaSets, pods }: DeploymentControllerIndexes): void => {
  const { store } = host;
  const queue = host.queue(latencyMs, (key) => {
    const deployment = store.get<Deployment>(referenceOf(resources.deployments, key));
    if (deployment === undefined || selectsEverything(deployment)) return;
    const owned = claim(store, resources.replicaSets, { owner: deployment, selector: deployment.spec.selector }, replicaSets);
    const sync = new DeploymentSync(store, deployment, owned);
    const checkInMs = isTerminating(deployment) ? sync.writeStatus() : reconcile(sync, deployment, owned, pods);
    if (checkInMs !== undefined) queue.addAfter(key, checkInMs);
  });

  const addOwner = ({ metadata, ...object }: ReplicaSet): void => {
    const owner = controllerOf({ metadata, ...object });
    if (owner?.kind === 'Deployment') queue.add(`${metadata.namespace ?? ''}/${owner.name}`);
  };

  host.watch<Deployment>(resources.deployments, ({ object }) => queue.add(keyOf(object)));
  host.watch<ReplicaSet>(resources.replicaSets, ({ object, before }) => {
    addOwner(object);
    if (before !== undefined) addOwner(before);
    if (controllerOf(object) !== undefined) return;
    for (const candidate of store.list({ resource: resources.deployments, namespace: object.metadata.namespace ?? '' }))
      queue.add(keyOf(candidate));
  });
  // Recreate goes on when the last old pod is gone or has come to its end
  host.watch<Pod>(resources.pods, ({ type, object, before }) => {
    if (type !== 'DELETED' && object.status?.phase === before?.status?.phase) return;
    const owner = controllerOf(object);
    if (owner?.kind !== 'ReplicaSet') return;
    const replicaSet = store.get<ReplicaSet>({
      resource: resources.replicaSets,
      namespace: object.metadata.namespace ?? '',
      name: owner.name,
    });
    if (replicaSet !== undefined) addOwner(replicaSet);
  });
};

const reconcile = (
  sync: DeploymentSync,
  deployment: Deployment,
  owned: readonly ReplicaSet[],
  pods: ObjectIndex<Pod>,
): number | undefined => {
  sync.notePause();
  if (isPaused(deployment) || sync.isScaling()) return sync.scale();
  if (deployment.spec.strategy?.type !== 'Recreate') return sync.rollOut();
  const podsOf = (replicaSet: ReplicaSet): readonly Pod[] => pods.under(ownerKey(replicaSet.metadata.uid ?? ''));
  return sync.recreate((except) => owned.filter((replicaSet) => replicaSet.metadata.uid !== except?.metadata.uid).flatMap(podsOf));
};

const selectsEverything = ({ spec }: Deployment): boolean =>
  Object.keys(spec.selector.matchLabels ?? {}).length + (spec.selector.matchExpressions ?? []).length === 0;
