import { isPodReady, isSidecar, podCondition, type ContainerStatus, type Pod } from '../../kubernetes/pod.ts';

const phaseOrder: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

type Comparison = (a: Pod, b: Pod) => number;

/**
 * The pods in the order in which a ReplicaSet gives them up: not on a node, early in their life, not ready, of low deletion cost,
 * on a crowded node, not ready for long, often restarted, young. Ages count by their order of magnitude; pods alike go by UID.
 *
 * `neighbours` are the pods of all ReplicaSets of the same owner. `now` is in milliseconds since the Unix epoch.
 *
 * Source: kubernetes `ActivePodsWithRanks` of pkg/controller/controller_utils.go.
 */
export const rankForDeletion = (pods: readonly Pod[], neighbours: readonly Pod[], now: number): readonly Pod[] => {
  const onNode = new Map<string, number>();
  for (const { spec } of neighbours) onNode.set(spec.nodeName ?? '', (onNode.get(spec.nodeName ?? '') ?? 0) + 1);
  const crowd = ({ spec }: Pod): number => onNode.get(spec.nodeName ?? '') ?? 0;
  const comparisons: readonly Comparison[] = [
    (a, b) => Number(isAssigned(a)) - Number(isAssigned(b)),
    (a, b) => phaseOf(a) - phaseOf(b),
    (a, b) => Number(isPodReady(a)) - Number(isPodReady(b)),
    (a, b) => deletionCost(a) - deletionCost(b),
    (a, b) => crowd(b) - crowd(a),
    (a, b) => (isPodReady(a) ? compareTimes(readySince(a), readySince(b), a, b, now) : 0),
    (a, b) => restarts(b, 'containers') - restarts(a, 'containers'),
    (a, b) => restarts(b, 'sidecars') - restarts(a, 'sidecars'),
    (a, b) => compareTimes(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '', a, b, now),
  ];
  return pods.toSorted((a, b) => {
    for (const compare of comparisons) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  });
};

const isAssigned = ({ spec }: Pod): boolean => (spec.nodeName ?? '') !== '';

const phaseOf = ({ status }: Pod): number => phaseOrder[status?.phase ?? ''] ?? 0;

const deletionCost = ({ metadata }: Pod): number => Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);

const readySince = (pod: Pod): string => podCondition(pod, 'Ready')?.lastTransitionTime ?? '';

const restarts = ({ spec, status }: Pod, of: 'containers' | 'sidecars'): number => {
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
  const statuses =
    of === 'containers' ? status?.containerStatuses : status?.initContainerStatuses?.filter(({ name }) => sidecars.has(name));
  return Math.max(0, ...(statuses ?? []).map(({ restartCount }: ContainerStatus) => restartCount));
};

const compareTimes = (timeA: string, timeB: string, a: Pod, b: Pod, now: number): number => {
  if (timeA === timeB) return 0;
  return magnitude(timeA, now) - magnitude(timeB, now) || ((a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1);
};

/** Power of two, of nanoseconds as the original counts them. */
const magnitude = (time: string, now: number): number => {
  const age = (now - Date.parse(time)) * 1e6;
  return age > 0 ? Math.trunc(Math.log2(age)) : -1;
};
