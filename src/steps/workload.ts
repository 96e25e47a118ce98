import { isObserved, isPaused, podReadyState, wantedReplicas, type Deployment, type PodReadyState } from '../kubernetes/deployment.ts';
import { controllerOf } from '../kubernetes/object.ts';
import { podProgress } from '../kubernetes/pod-progress.ts';
import { podTroubles } from '../kubernetes/pod-trouble.ts';
import { isPodAvailable, isTerminal, isTerminating, type Pod } from '../kubernetes/pod.ts';
import { shortName, type ObjectReference } from '../kubernetes/reference.ts';
import type { ReplicaSet } from '../kubernetes/replica-set.ts';
import type { StatefulSet } from '../kubernetes/stateful-set.ts';
import { podsIn, replicaSetsOf } from './selections.ts';
import type { ClusterState } from './step-kind.ts';

/** What a hand-over can go from and to. */
export type Workload = Deployment | StatefulSet;

export const workloadKinds: readonly string[] = ['Deployment', 'StatefulSet'];

/** The pods that the workload made, through its ReplicaSets where it has any; by UID, so that equal labels mislead nobody. */
export const podsOfWorkload = (
  workload: Workload | undefined,
  replicaSets: readonly ReplicaSet[],
  pods: readonly Pod[],
): readonly Pod[] => {
  if (workload?.metadata.uid === undefined) return [];
  const owners = new Set<string | undefined>([workload.metadata.uid]);
  for (const replicaSet of replicaSets) if (controllerOf(replicaSet)?.uid === workload.metadata.uid) owners.add(replicaSet.metadata.uid);
  return pods.filter((pod) => {
    const owner = controllerOf(pod);
    return owner !== undefined && owners.has(owner.uid);
  });
};

/** A workload as steps see it. */
export interface WorkloadView {
  readonly reference: ObjectReference;
  readonly object: Workload | undefined;
  readonly replicaSets: readonly ReplicaSet[];
  /** Its own, in all phases. */
  readonly pods: readonly Pod[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Needs `workloadSelections(reference)`. */
export const viewWorkload = (reference: ObjectReference, state: ClusterState): WorkloadView => {
  const object = state.get<Workload>(reference);
  const replicaSets = reference.resource.kind === 'Deployment' ? state.list<ReplicaSet>(replicaSetsOf(reference.namespace)) : [];
  return {
    reference,
    object,
    replicaSets,
    pods: podsOfWorkload(object, replicaSets, state.list<Pod>(podsIn(reference.namespace))),
    now: state.now,
  };
};

/** Whether at least `replicas` pods of the present template could take traffic now. Never by the workload's own "Available". */
export const readyStateOf = ({ reference, object, replicaSets, pods, now }: WorkloadView): PodReadyState => {
  if (object === undefined) return { ready: false, missing: `${shortName(reference)} does not exist`, troubles: [] };
  return isStatefulSet(object) ? statefulSetReadyState(object, pods, now) : podReadyState(object, replicaSets, pods, now);
};

/** Only a Deployment can be. */
export const isPausedWorkload = (object: Workload): boolean => !isStatefulSet(object) && isPaused(object);

const isStatefulSet = (object: Workload): object is StatefulSet => object.kind === 'StatefulSet';

/** The label by which a StatefulSet's pods tell their revision. Source: Kubernetes, `ControllerRevisionHashLabelKey`. */
const revisionLabel = 'controller-revision-hash';

const statefulSetReadyState = (object: StatefulSet, pods: readonly Pod[], now: number): PodReadyState => {
  const notReady = (missing: string): PodReadyState => ({ ready: false, missing, troubles: [] });
  const wanted = wantedReplicas(object);
  if (!isObserved(object)) return notReady('the stateful set controller has not seen the change yet');
  if (wanted < 1) return notReady(`statefulset/${object.metadata.name} is scaled to 0`);
  const revision = object.status?.updateRevision;
  const minReadySeconds = object.spec.minReadySeconds ?? 0;
  const own = pods.filter(
    (pod) => !isTerminal(pod) && !isTerminating(pod) && (revision === undefined || pod.metadata.labels?.[revisionLabel] === revision),
  );
  const available = own.filter((pod) => isPodAvailable(pod, minReadySeconds, now));
  if (available.length >= wanted) return { ready: true, pods: available };
  const others = own.filter((pod) => !available.includes(pod));
  return {
    ready: false,
    missing: [`${available.length} of ${wanted} pods ready`, ...others.map((pod) => `${pod.metadata.name}: ${podProgress(pod)}`)].join(
      '; ',
    ),
    troubles: others.flatMap((pod) => podTroubles(pod, now)),
  };
};
