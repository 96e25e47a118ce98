import type { KubernetesObject } from '../../kubernetes/object.ts';
import { isNodeReady, type Node } from '../../kubernetes/node.ts';
import type { Pod } from '../../kubernetes/pod.ts';
import { resources, type Resource } from '../../kubernetes/resource.ts';
import { writingAs, type Store } from '../api/store.ts';
import { addressForNode, addressForPod } from './addresses.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';
import type { ObjectIndex } from './object-index.ts';
import { missingForEnvironment, missingForVolumes } from './pod-configuration.ts';
import { podScriptOf, type PodTimes } from './pod-script.ts';
import type { ImageIdOf } from './pod-status.ts';
import { nextPodStep, type PodSurroundings } from './pod-steps.ts';
import { nodeKey } from './scheduler.ts';

const latencyMs = 0; // so that a step lasts as long as it is said to

export const addressKey = (address: string): string => `address/${address}`;

export interface KubeletOptions {
  /** How long pods take that say nothing. */
  readonly times: PodTimes;
  readonly imageIdOf: ImageIdOf;
}

/**
 * Plays the kubelets of all nodes that are Ready. On others nothing moves: their pods stay as they are, Terminating ones for ever.
 *
 * A status carries whole seconds. The exact moment at which a pod's present step began is remembered beside it, and read from the
 * status when the twin has been restarted meanwhile.
 *
 * Source: Kubernetes concepts, "Pod Lifecycle".
 */
export const startKubelets = (host: ControllerHost, pods: ObjectIndex<Pod>, { times, imageIdOf }: KubeletOptions): void => {
  const store = writingAs(host.store, 'kubelet');
  const atStep = new Map<string, { readonly name: string; readonly due: number }>();
  const restored = new Set<string>();

  const queue = host.queue(latencyMs, (key) => {
    const reference = referenceOf(resources.pods, key);
    const pod = store.get<Pod>(reference);
    const uid = pod?.metadata.uid;
    if (pod === undefined || uid === undefined) return;
    const node = readyNodeOf(store, pod);
    const step =
      node === undefined
        ? undefined
        : nextPodStep(pod, { ...surroundingsOf(store, pod, node, pods), script: podScriptOf(pod, times), imageIdOf });
    if (step === undefined) {
      atStep.delete(uid);
      return;
    }
    const now = store.clock.now();
    const known = atStep.get(uid);
    const since = restored.has(uid) ? (step.since ?? now) : now;
    // a step that has begun can only become shorter: by a second deletion with less grace
    const due = known?.name === step.name ? Math.min(known.due, now + step.delayMs) : since + step.delayMs;
    restored.delete(uid);
    if (due > now) {
      atStep.set(uid, { name: step.name, due });
      queue.addAfter(key, due - now);
      return;
    }
    atStep.delete(uid);
    if (step.effect === 'gone') store.delete(reference, { uid, gracePeriodSeconds: 0 });
    else store.updateStatus(reference, step.effect(now));
  });

  host.watch<Pod>(resources.pods, ({ type, object }) => {
    const { uid = '' } = object.metadata;
    if (type === 'EXISTING') restored.add(uid);
    if (type === 'DELETED') atStep.delete(uid);
    else if ((object.spec.nodeName ?? '') !== '') queue.add(keyOf(object));
  });
  host.watch<Node>(resources.nodes, ({ object, before }) => {
    if (before !== undefined && isNodeReady(object) === isNodeReady(before)) return;
    for (const pod of pods.under(nodeKey(object.metadata.name))) queue.add(keyOf(pod));
  });
  const lookAgainAfter = (resource: Resource): void =>
    host.watch<KubernetesObject>(resource, ({ object }) => {
      for (const pod of pods.under(incompleteKey(object.metadata.namespace ?? ''))) queue.add(keyOf(pod));
    });
  lookAgainAfter(resources.configMaps);
  lookAgainAfter(resources.secrets);
};

/** Index key: pods of the namespace whose containers have not run yet, for which a ConfigMap or Secret may be what is missing. */
const incompleteKey = (namespace: string): string => `incomplete/${namespace}`;

/** Index keys of a pod on a node: its address, and whether it may wait for its configuration. */
export const kubeletKeys = ({ metadata, status, spec }: Pod): readonly string[] => [
  ...(status?.podIP === undefined ? [] : [addressKey(status.podIP)]),
  ...((spec.nodeName ?? '') !== '' && status?.phase === 'Pending' ? [incompleteKey(metadata.namespace ?? '')] : []),
];

const readyNodeOf = (store: Store, { spec }: Pod): Node | undefined => {
  const name = spec.nodeName ?? '';
  const node = name === '' ? undefined : store.get<Node>({ resource: resources.nodes, name });
  return node !== undefined && isNodeReady(node) ? node : undefined;
};

const surroundingsOf = (store: Store, pod: Pod, node: Node, pods: ObjectIndex<Pod>): Omit<PodSurroundings, 'script' | 'imageIdOf'> => {
  const hostIP = (): string =>
    node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? addressForNode(node.metadata.name);
  return {
    hostIP,
    podIP: () =>
      pod.spec.hostNetwork === true ? hostIP() : addressForPod(pod.metadata.uid ?? '', (address) => pods.has(addressKey(address))),
    missingForEnvironment: () => missingForEnvironment(store, pod),
    missingForVolumes: () => missingForVolumes(store, pod),
  };
};
