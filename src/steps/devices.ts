import { isTerminal, podCondition, type Pod } from '../kubernetes/pod.ts';
import { podRequests, type ResourceAmounts } from '../kubernetes/pod-requests.ts';

/** Extended resources are devices: `nvidia.com/gpu`. Source: Kubernetes, "Assign Extended Resources to a Container". */
export const isDevice = (resource: string): boolean => resource.includes('/');

export const deviceRequests = (amounts: ResourceAmounts): readonly (readonly [device: string, count: number])[] =>
  Object.entries(amounts).filter(([resource, amount]) => isDevice(resource) && amount > 0);

/** Bound to a node and not finished: what it requests is booked, Terminating or not. */
export const isBooking = (pod: Pod): boolean => (pod.spec.nodeName ?? '') !== '' && !isTerminal(pod);

/** A card that was taken this shortly before our pod came was freed for it. */
const freedForUsMs = 60_000;

/** What the scheduler says that it finds on no node for the pod. */
export const lackedDevices = (waiting: Pod): readonly string[] => {
  const scheduler = podCondition(waiting, 'PodScheduled');
  if (scheduler?.reason !== 'Unschedulable') return [];
  return deviceRequests(podRequests(waiting.spec)).flatMap(([device]) => (scheduler.message?.includes(device) === true ? [device] : []));
};

/** Who holds, since about when `waiting` was made, a device that `waiting` finds no node for. */
export const takersOf = (waiting: Pod, pods: readonly Pod[]): readonly { readonly pod: Pod; readonly device: string }[] => {
  const since = Date.parse(waiting.metadata.creationTimestamp ?? '') - freedForUsMs;
  return lackedDevices(waiting).flatMap((device) =>
    pods
      .filter(
        (pod) =>
          isBooking(pod) &&
          (podRequests(pod.spec)[device] ?? 0) > 0 &&
          Date.parse(podCondition(pod, 'PodScheduled')?.lastTransitionTime ?? '') >= since,
      )
      .map((pod) => ({ pod, device })),
  );
};
