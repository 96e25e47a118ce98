import type { Condition } from '../../kubernetes/object.ts';
import { isNodeReady, type Node, type Taint } from '../../kubernetes/node.ts';
import { podCondition, type Pod } from '../../kubernetes/pod.ts';
import { resources } from '../../kubernetes/resource.ts';
import { isSameJson } from '../api/json.ts';
import { writingAs, type Store } from '../api/store.ts';
import { formatTime } from '../api/timestamp.ts';
import { addressForNode } from './addresses.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';
import type { ObjectIndex } from './object-index.ts';
import { withPodConditions } from './pod-conditions.ts';
import { nodeKey } from './scheduler.ts';

const latencyMs = 1;

/** A Node as its kubelet reports it. */
interface ReportedNode extends Node {
  readonly status?: Node['status'] & { readonly nodeInfo?: { readonly kubeletVersion?: string; readonly [field: string]: unknown } };
}

/**
 * A Node that no kubelet has reported yet, as in a manifest, becomes Ready, whatever it says. One that is cordoned or not Ready is
 * tainted, and the pods of one that is not Ready are marked not ready. (Pods are not evicted from it.)
 *
 * Source: Kubernetes concepts, "Nodes"; kubernetes `pkg/controller/nodelifecycle`.
 */
export const startNodeController = (host: ControllerHost, pods: ObjectIndex<Pod>): void => {
  const { store } = host;
  const kubelets = writingAs(store, 'kubelet');
  const queue = host.queue(latencyMs, (key) => {
    const reference = referenceOf(resources.nodes, key);
    const node = store.get<ReportedNode>(reference);
    if (node === undefined) return;
    const readiness = node.status?.conditions?.find(({ type }) => type === 'Ready');
    if (readiness === undefined || (node.status?.nodeInfo?.kubeletVersion ?? '') === '') {
      kubelets.updateStatus(reference, registeredStatus(node, store.clock.now()));
      return;
    }
    writeTaints(store, node, readiness);
    if (!isNodeReady(node)) for (const pod of pods.under(nodeKey(node.metadata.name))) markNotReady(store, pod);
  });
  host.watch<Node>(resources.nodes, ({ type, object }) => {
    if (type !== 'DELETED') queue.add(keyOf(object));
  });
};

/** What a kubelet reports when it registers its node. */
const registeredStatus = ({ metadata, status: given }: ReportedNode, now: number): ReportedNode['status'] => {
  const time = formatTime(now);
  const healthy: readonly (readonly [string, Condition['status'], string, string])[] = [
    ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
    ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
    ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ];
  return {
    ...given,
    ...(given?.allocatable === undefined && given?.capacity !== undefined ? { allocatable: given.capacity } : {}),
    addresses: given?.addresses ?? [
      { type: 'InternalIP', address: addressForNode(metadata.name) },
      { type: 'Hostname', address: metadata.name },
    ],
    nodeInfo: { architecture: 'amd64', operatingSystem: 'linux', ...given?.nodeInfo, kubeletVersion: 'twin' },
    conditions: [
      ...(given?.conditions ?? []).filter(({ type }) => !healthy.some(([reported]) => reported === type)),
      ...healthy.map(([type, status, reason, message]) => ({
        type,
        status,
        reason,
        message,
        lastHeartbeatTime: time,
        lastTransitionTime: time,
      })),
    ],
  };
};

const conditionTaints: ReadonlySet<string> = new Set(
  ['not-ready', 'unreachable', 'unschedulable'].map((trouble) => `node.kubernetes.io/${trouble}`),
);

const writeTaints = (store: Store, node: Node, { status }: Condition): void => {
  const troubles = [
    ...(status === 'False' ? ['not-ready'] : status === 'Unknown' ? ['unreachable'] : []),
    ...(node.spec?.unschedulable === true ? ['unschedulable'] : []),
  ];
  const wanted = troubles.map((trouble): Taint => ({ key: `node.kubernetes.io/${trouble}`, effect: 'NoSchedule' }));
  const present = node.spec?.taints ?? [];
  const isOurs = ({ key, effect }: Taint): boolean => effect === 'NoSchedule' && conditionTaints.has(key);
  const missing = wanted.filter(({ key }) => !present.some((taint) => isOurs(taint) && taint.key === key));
  const kept = present.filter((taint) => !isOurs(taint) || wanted.some(({ key }) => key === taint.key));
  const taints = [...kept, ...missing.map((added) => ({ ...added, timeAdded: formatTime(store.clock.now()) }))];
  if (isSameJson(taints, present)) return;
  const { taints: _, ...spec } = node.spec ?? {};
  store.update(resources.nodes, { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } });
};

const markNotReady = (store: Store, pod: Pod): void => {
  if (podCondition(pod, 'Ready')?.status !== 'True') return;
  const status = withPodConditions(
    pod,
    [{ type: 'Ready', status: 'False', reason: 'NodeNotReady', message: 'Node is not ready' }],
    store.clock.now(),
  );
  store.updateStatus(referenceOf(resources.pods, keyOf(pod)), status);
};
