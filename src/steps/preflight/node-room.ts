import { allocatableOf, isNodeReady, isSchedulable, matchesNode, untoleratedTaints, type Node } from '../../kubernetes/node.ts';
import type { Pod, PodSpec } from '../../kubernetes/pod.ts';
import { podRequests, type ResourceAmounts } from '../../kubernetes/pod-requests.ts';
import { addQuantities } from '../../kubernetes/quantity.ts';
import { isBooking, isDevice } from '../devices.ts';

/** A node, and what would be free on it. */
export interface NodeRoom {
  readonly node: Node;
  readonly free: ResourceAmounts;
  /** The pods that book the rest. */
  readonly booking: readonly Pod[];
}

/** What every node has left once `going` have gone. Terminating pods of others book on; finished ones do not. */
export const roomsWithout = (nodes: readonly Node[], pods: readonly Pod[], going: ReadonlySet<Pod>): readonly NodeRoom[] =>
  nodes.map((node) => {
    const booking = pods.filter((pod) => pod.spec.nodeName === node.metadata.name && isBooking(pod) && !going.has(pod));
    return { node, booking, free: booking.reduce((free, pod) => subtract(free, requestsOf(pod.spec)), allocatableOf(node)) };
  });

/** One more pod is one of the node's `pods`, too. */
export const requestsOf = (spec: PodSpec): ResourceAmounts => ({ ...podRequests(spec), pods: 1 });

const subtract = (free: ResourceAmounts, requests: ResourceAmounts): ResourceAmounts => {
  const rest: Record<string, number> = { ...free };
  for (const [resource, amount] of Object.entries(requests))
    if (resource in rest) rest[resource] = addQuantities(rest[resource] ?? 0, -amount);
  return rest;
};

/** The taints by which the node controller repeats that a node is cordoned or not Ready. */
const saidAlready: ReadonlySet<string> = new Set([
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
]);

/** Why the scheduler would not put the pod on the node whatever is free there: `it is cordoned`. */
export const unfitReasons = (spec: PodSpec, node: Node): readonly string[] => [
  ...(isSchedulable(node) ? [] : ['it is cordoned']),
  ...(isNodeReady(node) ? [] : ['it is not Ready']),
  ...untoleratedTaints({ spec }, node)
    .filter(({ key }) => !saidAlready.has(key))
    .map(({ key, value, effect }) => `taint ${key}${value === undefined ? '' : `=${value}`}:${effect} is not tolerated`),
  ...(matchesNode({ spec }, node) ? [] : ["the pod's nodeSelector or node affinity does not match its labels"]),
];

/** What the pod asks for and the node has not left. A node that does not say how much memory it has is not judged by memory. */
export const lackingOn = (
  spec: PodSpec,
  { free }: NodeRoom,
): readonly { readonly resource: string; readonly wanted: number; readonly free: number }[] =>
  Object.entries(requestsOf(spec)).flatMap(([resource, wanted]) => {
    const left = free[resource] ?? (isDevice(resource) ? 0 : Number.POSITIVE_INFINITY);
    return wanted > left && wanted > 0 ? [{ resource, wanted, free: left }] : [];
  });

export const fits = (spec: PodSpec, room: NodeRoom): boolean =>
  unfitReasons(spec, room.node).length === 0 && lackingOn(spec, room).length === 0;

/** The rooms after the pod has taken the first that fits; `undefined` when none does. */
export const place = (spec: PodSpec, rooms: readonly NodeRoom[]): readonly NodeRoom[] | undefined => {
  const chosen = rooms.find((room) => fits(spec, room));
  if (chosen === undefined) return undefined;
  return rooms.map((room) => (room === chosen ? { ...room, free: subtract(room.free, requestsOf(spec)) } : room));
};

/** The rooms after so many such pods; `undefined` when they do not all fit. */
export const placeAll = (spec: PodSpec, count: number, rooms: readonly NodeRoom[]): readonly NodeRoom[] | undefined => {
  let left: readonly NodeRoom[] | undefined = rooms;
  for (let placed = 0; placed < count && left !== undefined; placed++) left = place(spec, left);
  return left;
};
