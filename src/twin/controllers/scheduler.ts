import type { KubernetesObject } from '../../kubernetes/object.ts';
import { isTerminal, isTerminating, type Pod, type PodSpec } from '../../kubernetes/pod.ts';
import { podRequests, type ResourceAmounts } from '../../kubernetes/pod-requests.ts';
import type { Node } from '../../kubernetes/node.ts';
import { resources } from '../../kubernetes/resource.ts';
import { writingAs, type Store } from '../api/store.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';
import { book, explainMisfits, explainObstacle, findMisfit, roomLeft, type Bookings, type Misfit } from './node-fit.ts';
import type { ObjectIndex } from './object-index.ts';
import { withPodConditions, type PodConditionWish } from './pod-conditions.ts';

const latencyMs = 5;

/** Index keys: pods that wait for a node, and those that hold their place on one. */
export const waitingKey = 'waiting';
export const nodeKey = (name: string): string => `node/${name}`;

export const schedulingKeys = (pod: Pod): readonly string[] => {
  const { nodeName = '', schedulerName = 'default-scheduler' } = pod.spec;
  if (isTerminal(pod)) return [];
  if (nodeName !== '') return [nodeKey(nodeName)];
  return schedulerName === 'default-scheduler' && !isTerminating(pod) ? [waitingKey] : [];
};

/**
 * Gives waiting pods a node, the most important first, then the oldest. A Terminating pod keeps what it has booked until it is gone;
 * a terminal one holds nothing. Nobody is preempted.
 *
 * Source: Kubernetes concepts, "Kubernetes Scheduler", "Resource Management for Pods and Containers".
 */
export const startScheduler = (host: ControllerHost, pods: ObjectIndex<Pod>): void => {
  const store = writingAs(host.store, 'kube-scheduler');
  const requestsBySpec = new WeakMap<PodSpec, ResourceAmounts>();
  const requestsOf = ({ spec }: Pod): ResourceAmounts => {
    const requests = requestsBySpec.get(spec) ?? podRequests(spec);
    requestsBySpec.set(spec, requests);
    return requests;
  };

  const queue = host.queue(latencyMs, () => {
    const waiting = pods.under(waitingKey);
    if (waiting.length === 0) return;
    const nodes = store.list<Node>({ resource: resources.nodes });
    const bookings = new Map<Node, Bookings>();
    const bookingsOf = (node: Node): Bookings => {
      const known = bookings.get(node) ?? pods.under(nodeKey(node.metadata.name)).map(requestsOf).reduce(book, { amounts: {}, pods: 0 });
      bookings.set(node, known);
      return known;
    };

    for (const pod of waiting.toSorted(byUrgency)) {
      const obstacle = findObstacle(store, pod);
      if (obstacle !== undefined) {
        refuse(store, pod, obstacle.reason, obstacle.isGate ? obstacle.message : explainObstacle(obstacle.message, nodes.length));
        continue;
      }
      const requests = requestsOf(pod);
      const misfits: Misfit[] = [];
      let best: { readonly node: Node; readonly room: number } | undefined;
      for (const node of nodes) {
        const misfit = findMisfit(pod, requests, node, bookingsOf(node));
        if (misfit !== undefined) misfits.push(misfit);
        else {
          const room = roomLeft(requests, node, bookingsOf(node));
          if (best === undefined || room > best.room) best = { node, room };
        }
      }
      if (best === undefined) refuse(store, pod, 'Unschedulable', explainMisfits(misfits));
      else {
        bind(store, pod, best.node);
        bookings.set(best.node, book(bookingsOf(best.node), requests));
      }
    }
  });

  const lookAgain = (): void => {
    if (pods.has(waitingKey)) queue.add('');
  };
  host.watch<Pod>(resources.pods, ({ type, object, before }) => {
    const isFreed = type === 'DELETED' || (isTerminal(object) && before !== undefined && !isTerminal(before));
    const isNew = type !== 'DELETED' && object.spec !== before?.spec && (object.spec.nodeName ?? '') === '';
    if (isFreed || isNew) lookAgain();
  });
  host.watch<Node>(resources.nodes, lookAgain);
  host.watch<KubernetesObject>(resources.persistentVolumeClaims, lookAgain);
};

const byUrgency = (a: Pod, b: Pod): number => {
  const priority = (b.spec.priority ?? 0) - (a.spec.priority ?? 0);
  if (priority !== 0) return priority;
  const [created = '', other = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return created === other ? 0 : created < other ? -1 : 1; // of the same second: in the order in which they began to wait
};

interface Obstacle {
  readonly reason: string;
  readonly message: string;
  readonly isGate: boolean;
}

/** What stands in the way on any node: gates, and claims that are missing or not bound. */
const findObstacle = (store: Store, pod: Pod): Obstacle | undefined => {
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    return { reason: 'SchedulingGated', message: 'Scheduling is blocked due to non-empty scheduling gates', isGate: true };
  }
  for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    const name = persistentVolumeClaim.claimName;
    const claim = store.get<KubernetesObject & { readonly status?: { readonly phase?: string } }>({
      resource: resources.persistentVolumeClaims,
      namespace: pod.metadata.namespace ?? '',
      name,
    });
    const unschedulable = (message: string): Obstacle => ({ reason: 'Unschedulable', message, isGate: false });
    if (claim === undefined) return unschedulable(`persistentvolumeclaim "${name}" not found`);
    if (isTerminating(claim)) return unschedulable(`persistentvolumeclaim "${name}" is being deleted`);
    if (claim.status?.phase !== 'Bound') return unschedulable('pod has unbound immediate PersistentVolumeClaims');
  }
  return undefined;
};

const refuse = (store: Store, pod: Pod, reason: string, message: string): void =>
  writeCondition(store, pod, { type: 'PodScheduled', status: 'False', reason, message });

/** A binding is no write to the pod's own fields: they become nobody's. */
const bind = (schedulers: Store, pod: Pod, node: Node): void => {
  const store = writingAs(schedulers, undefined);
  const bound = store.update(resources.pods, { ...pod, spec: { ...pod.spec, nodeName: node.metadata.name } });
  writeCondition(store, bound as Pod, { type: 'PodScheduled', status: 'True' });
};

const writeCondition = (store: Store, pod: Pod, condition: PodConditionWish): void => {
  const status = withPodConditions(pod, [condition], store.clock.now());
  if (status !== pod.status) store.updateStatus(referenceOf(resources.pods, keyOf(pod)), status);
};
