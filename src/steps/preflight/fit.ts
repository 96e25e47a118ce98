import { amountsOf } from '../../kubernetes/pod-requests.ts';
import type { PodSpec } from '../../kubernetes/pod.ts';
import { isTerminating } from '../../kubernetes/pod.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import { fullName } from '../../kubernetes/reference.ts';
import { isBooking, isDevice } from '../devices.ts';
import type { PreflightFacts } from './facts.ts';
import type { WorkloadView } from '../workload.ts';
import { blocks, warns, type Finding } from './finding.ts';
import type { PreflightInput } from './input.ts';
import { lackingOn, placeAll, requestsOf, roomsWithout, unfitReasons, type NodeRoom } from './node-room.ts';

/** The pods of `to` that have no node yet, and the nodes as they will be once the old side is gone. */
export interface Wanted {
  readonly spec: PodSpec;
  readonly count: number;
  readonly rooms: readonly NodeRoom[];
}

export const wantedRoom = ({ input, from, to, nodes, pods, unknown }: PreflightFacts): Wanted | undefined => {
  if (from.object === undefined || to.object === undefined || unknown.some(({ selection }) => selection.resource.kind === 'Node'))
    return undefined;
  const going = new Set([...from.pods, ...to.pods.filter(isTerminating)]);
  return { spec: to.object.spec.template.spec, count: missingPods(input, to), rooms: roomsWithout(nodes, pods, going) };
};

/** How many of the new pods have no node yet. */
export const missingPods = ({ replicas }: PreflightInput, to: WorkloadView): number =>
  Math.max(0, replicas - to.pods.filter((pod) => isBooking(pod) && !isTerminating(pod)).length);

/** The new pods would find a node once the old ones are gone: devices, memory, taints, cordons. */
export const checkFit = (facts: PreflightFacts): readonly Finding[] => {
  const wanted = wantedRoom(facts);
  if (wanted === undefined || wanted.count === 0) return [];
  const { spec, count, rooms } = wanted;
  const sick = rooms.flatMap((room) => unhealthyDevices(spec, room));
  if (placeAll(spec, count, rooms) !== undefined) return sick.map(warns);
  const { input } = facts;
  const reasons = rooms.map((room) => `${room.node.metadata.name}: ${whyNot(spec, room).join(', ')}`);
  const nodes = rooms.length === 0 ? 'there is no node' : reasons.slice(0, namedNodes).join('; ');
  const more = rooms.length > namedNodes ? `; and ${rooms.length - namedNodes} nodes more` : '';
  return [
    blocks(
      'NoNodeFits',
      `${count === 1 ? 'a pod' : `${count} pods`} of ${fullName(input.to)} would find no node even when ${fullName(input.from)} is gone: ${nodes}${more}`,
      'make room, or correct what the pod template asks for',
    ),
  ];
};

const namedNodes = 5;

const whyNot = (spec: PodSpec, room: NodeRoom): readonly string[] => {
  const reasons = [
    ...unfitReasons(spec, room.node),
    ...lackingOn(spec, room).map((lack) => explainLack(room, lack)),
    ...unhealthyDevices(spec, room),
  ];
  return reasons.length > 0 ? reasons : ['it has room for some of them only'];
};

const explainLack = (
  { node, booking }: NodeRoom,
  { resource, wanted, free }: { readonly resource: string; readonly wanted: number; readonly free: number },
): string => {
  const total = amountsOf(node.status?.allocatable ?? node.status?.capacity)[resource] ?? 0;
  const holders = booking
    .filter((pod) => (requestsOf(pod.spec)[resource] ?? 0) > 0 && resource !== 'pods')
    .map(
      (pod) =>
        `${pod.metadata.namespace}/${pod.metadata.name} ${show(resource, requestsOf(pod.spec)[resource] ?? 0)}${isTerminating(pod) ? ' (terminating)' : ''}`,
    );
  const held = holders.length === 0 ? '' : ` (held: ${holders.join(', ')})`;
  return `${resource}: ${show(resource, wanted)} wanted, ${show(resource, Math.max(0, free))} of ${show(resource, total)} free${held}`;
};

const mebibyte = 1024 * 1024;

const show = (resource: string, amount: number): string =>
  resource === 'memory' || resource === 'ephemeral-storage' ? `${Math.floor(amount / mebibyte)}Mi` : formatQuantity(amount);

/** A device plugin takes a sick card out of `allocatable` and leaves it in `capacity`. */
const unhealthyDevices = (spec: PodSpec, { node }: NodeRoom): readonly string[] => {
  const capacity = amountsOf(node.status?.capacity);
  const allocatable = amountsOf(node.status?.allocatable);
  return Object.keys(requestsOf(spec))
    .filter((resource) => isDevice(resource) && (allocatable[resource] ?? 0) < (capacity[resource] ?? 0))
    .map(
      (resource) =>
        `node ${node.metadata.name} offers ${allocatable[resource] ?? 0} of ${capacity[resource]} ${resource}: the others are unhealthy`,
    );
};
