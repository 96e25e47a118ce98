import { isApiError, type ApiError } from '../../cluster/api-error.ts';
import { wantedReplicas } from '../../kubernetes/deployment.ts';
import { matchesEqualities, matchesSelector } from '../../kubernetes/label-selector.ts';
import { controllerOf, type Condition } from '../../kubernetes/object.ts';
import { isPodAvailable, isPodReady, isTerminal, isTerminating, podCondition, type Pod } from '../../kubernetes/pod.ts';
import type { ReplicaSet } from '../../kubernetes/replica-set.ts';
import { apiVersionOf, resources } from '../../kubernetes/resource.ts';
import { isSameJson } from '../api/json.ts';
import type { Store } from '../api/store.ts';
import { formatTime } from '../api/timestamp.ts';
import { claim, controllerReference, ownerKey } from './claim.ts';
import { findCondition, removeCondition, setCondition, withoutZeros } from './conditions.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';
import type { ObjectIndex } from './object-index.ts';
import { rankForDeletion } from './pod-ranking.ts';

const latencyMs = 3;

/** The most pods that one look at a ReplicaSet makes or deletes. */
const burstReplicas = 500;

/**
 * Keeps as many pods as a ReplicaSet wants. Terminating and terminal pods do not count: they are replaced at once, and leave
 * `status.replicas` at once.
 *
 * Source: Kubernetes concepts, "ReplicaSet"; kubernetes `pkg/controller/replicaset`.
 */
export const startReplicaSetController = (host: ControllerHost, replicaSets: ObjectIndex<ReplicaSet>, pods: ObjectIndex<Pod>): void => {
  const { store } = host;
  const queue = host.queue(latencyMs, (key) => {
    const replicaSet = store.get<ReplicaSet>(referenceOf(resources.replicaSets, key));
    if (replicaSet === undefined) return;
    const claimant = { owner: replicaSet, selector: replicaSet.spec.selector };
    const active = claim(store, resources.pods, claimant, pods, (pod) => !isTerminal(pod) && !isTerminating(pod));
    const failure = isTerminating(replicaSet)
      ? undefined
      : manage(store, replicaSet, active, () => neighboursOf(replicaSet, replicaSets, pods));
    writeStatus(store, replicaSet, active, failure);
    const checkInMs = nextAvailabilityMs(replicaSet, active, store.clock.now());
    if (checkInMs !== undefined) queue.addAfter(key, checkInMs);
    if (failure !== undefined) throw failure;
  });

  host.watch<ReplicaSet>(resources.replicaSets, ({ object }) => queue.add(keyOf(object)));
  host.watch<Pod>(resources.pods, ({ type, object, before }) => {
    const namespace = object.metadata.namespace ?? '';
    const owners = [object, ...(before === undefined ? [] : [before])].map(controllerOf);
    for (const owner of owners) if (owner?.kind === 'ReplicaSet') queue.add(`${namespace}/${owner.name}`);
    if (controllerOf(object) !== undefined || type === 'DELETED') return;
    for (const candidate of store.list<ReplicaSet>({ resource: resources.replicaSets, namespace })) {
      if (matchesSelector(candidate.spec.selector, object.metadata.labels)) queue.add(keyOf(candidate));
    }
  });
};

/** Makes or deletes what is missing or too much. Returns the refusal that stopped it. */
const manage = (store: Store, replicaSet: ReplicaSet, active: readonly Pod[], neighbours: () => readonly Pod[]): ApiError | undefined => {
  const difference = wantedReplicas(replicaSet) - active.length;
  if (difference === 0) return undefined;
  const surplus = difference < 0 ? rankForDeletion(active, active.length > -difference ? neighbours() : [], store.clock.now()) : [];
  try {
    for (let count = 0; count < Math.min(difference, burstReplicas); count++) store.create(resources.pods, buildPod(replicaSet));
    for (const { metadata } of surplus.slice(0, Math.min(-difference, burstReplicas))) {
      store.delete({ resource: resources.pods, namespace: metadata.namespace ?? '', name: metadata.name });
    }
    return undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error;
  }
};

const buildPod = (replicaSet: ReplicaSet): Pod => {
  const { metadata, spec } = replicaSet.spec.template;
  return {
    apiVersion: apiVersionOf(resources.pods),
    kind: 'Pod',
    metadata: {
      ...metadata,
      name: '',
      generateName: `${replicaSet.metadata.name}-`,
      namespace: replicaSet.metadata.namespace ?? '',
      ownerReferences: [controllerReference(replicaSet)],
    },
    spec,
  };
};

/** The pods of all ReplicaSets of the same owner. */
const neighboursOf = (replicaSet: ReplicaSet, replicaSets: ObjectIndex<ReplicaSet>, pods: ObjectIndex<Pod>): readonly Pod[] => {
  const owner = controllerOf(replicaSet);
  const siblings = owner === undefined ? [replicaSet] : replicaSets.under(ownerKey(owner.uid));
  return siblings
    .flatMap(({ metadata }) => pods.under(ownerKey(metadata.uid ?? '')))
    .filter((pod) => !isTerminal(pod) && !isTerminating(pod));
};

const writeStatus = (store: Store, replicaSet: ReplicaSet, active: readonly Pod[], failure: ApiError | undefined): void => {
  const now = store.clock.now();
  const minReadySeconds = replicaSet.spec.minReadySeconds ?? 0;
  const templateLabels = replicaSet.spec.template.metadata?.labels;
  const conditions: readonly Condition[] = replicaSet.status?.conditions ?? [];
  const status = {
    replicas: active.length,
    ...withoutZeros({
      fullyLabeledReplicas: active.filter(({ metadata }) => matchesEqualities(templateLabels, metadata.labels)).length,
      readyReplicas: active.filter(isPodReady).length,
      availableReplicas: active.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length,
      observedGeneration: replicaSet.metadata.generation ?? 0,
      conditions:
        failure === undefined
          ? removeCondition(conditions, 'ReplicaFailure')
          : withFailure(conditions, failure, wantedReplicas(replicaSet) > active.length, now),
    }),
  };
  if (isSameJson(status, replicaSet.status ?? {})) return;
  store.updateStatus(referenceOf(resources.replicaSets, keyOf(replicaSet)), status);
};

/** The first refusal stays, with its words, until there is none. */
const withFailure = (conditions: readonly Condition[], failure: ApiError, isCreate: boolean, now: number): readonly Condition[] => {
  if (findCondition(conditions, 'ReplicaFailure') !== undefined) return conditions;
  const reason = isCreate ? 'FailedCreate' : 'FailedDelete';
  return setCondition(conditions, {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: formatTime(now),
    reason,
    message: failure.status.message,
  });
};

/** When the next ready pod has been ready for long enough. */
const nextAvailabilityMs = (replicaSet: ReplicaSet, active: readonly Pod[], now: number): number | undefined => {
  const minReadySeconds = replicaSet.spec.minReadySeconds ?? 0;
  const waiting = active.filter((pod) => isPodReady(pod) && !isPodAvailable(pod, minReadySeconds, now));
  const moments = waiting.map((pod) => Date.parse(podCondition(pod, 'Ready')?.lastTransitionTime ?? '') + minReadySeconds * 1000 - now);
  return moments.length === 0 ? undefined : Math.min(...moments);
};
