import { wantedReplicas } from '../../kubernetes/deployment.ts';
import { isTerminal, isTerminating, type Pod, type PodSpec } from '../../kubernetes/pod.ts';
import { podRequests } from '../../kubernetes/pod-requests.ts';
import { fullName } from '../../kubernetes/reference.ts';
import { scales } from '../../ownership/autoscaler.ts';
import { isPausedScaledObject, isTargetOf } from '../../ownership/keda.ts';
import { referenceOf } from '../reference-of.ts';
import { deviceRequests } from '../devices.ts';
import type { Workload } from '../workload.ts';
import type { PreflightFacts } from './facts.ts';
import { blocks, type Finding } from './finding.ts';
import { wantedRoom } from './fit.ts';
import { place, placeAll, type NodeRoom } from './node-room.ts';

interface Rival {
  readonly code: string;
  readonly name: string;
  readonly spec: PodSpec;
  readonly nextStep: string;
}

/**
 * Nobody else gets the card between the old side's going and the new side's coming: no pod that is Pending or gated, and no parked
 * workload that an autoscaler may start, would fit where the new pods have to go and leave them without room.
 */
export const checkRivals = (facts: PreflightFacts): readonly Finding[] => {
  const wanted = wantedRoom(facts);
  if (wanted === undefined || wanted.count === 0 || placeAll(wanted.spec, wanted.count, wanted.rooms) === undefined) return [];
  const { spec, count } = wanted;
  let rooms = wanted.rooms;
  const placed: Rival[] = [];
  for (const rival of [...pendingPods(facts), ...parkedWorkloads(facts)]) {
    const taken = place(rival.spec, worstFirst(spec, rooms));
    if (taken === undefined) continue;
    placed.push(rival);
    rooms = taken;
  }
  if (placeAll(spec, count, rooms) !== undefined) return [];
  return placed.map(({ code, name, nextStep }) =>
    blocks(
      code,
      `${name} could take the room that ${fullName(facts.input.to)} needs, as soon as ${fullName(facts.input.from)} is gone`,
      nextStep,
    ),
  );
};

/** The rival goes where it hurts: to the nodes that the new pods could use. */
const worstFirst = (spec: PodSpec, rooms: readonly NodeRoom[]): readonly NodeRoom[] =>
  rooms.toSorted((a, b) => Number(place(spec, [b]) !== undefined) - Number(place(spec, [a]) !== undefined));

const pendingPods = ({ pods, from, to }: PreflightFacts): readonly Rival[] =>
  pods
    .filter(
      (pod) =>
        (pod.spec.nodeName ?? '') === '' && !isTerminal(pod) && !isTerminating(pod) && !from.pods.includes(pod) && !to.pods.includes(pod),
    )
    .map((pod) => {
      const gated = (pod.spec.schedulingGates ?? []).length > 0;
      return {
        code: gated ? 'GatedPodCouldTakeDevice' : 'PendingPodCouldTakeDevice',
        name: `${gated ? 'gated' : 'Pending'} pod ${pod.metadata.namespace}/${pod.metadata.name}`,
        // A gate may be opened at any moment.
        spec: pod.spec,
        nextStep: `let it have a node first, or remove it for the time of the hand-over: kubectl get pod -n ${pod.metadata.namespace} ${ownerHint(pod)}`,
      };
    });

const ownerHint = (pod: Pod): string => `${pod.metadata.name} -o jsonpath='{.metadata.ownerReferences}'`;

/** Workloads that ask for the same devices and that an autoscaler may give one more pod. */
const parkedWorkloads = (facts: PreflightFacts): readonly Rival[] => {
  const { scalable, autoscalers, scaledObjects, from, to } = facts;
  const devices = new Set(deviceRequests(podRequests(to.object?.spec.template.spec ?? { containers: [] })).map(([device]) => device));
  return scalable
    .filter((workload) => workload.metadata.uid !== from.object?.metadata.uid && workload.metadata.uid !== to.object?.metadata.uid)
    .filter((workload) => deviceRequests(podRequests(workload.spec.template.spec)).some(([device]) => devices.has(device)))
    .flatMap((workload) => {
      const reference = referenceOf(workload);
      const autoscaler = autoscalers.find((candidate) => scales(candidate, reference) && mayGrow(workload, candidate.spec.maxReplicas, 1));
      const scaledObject = scaledObjects.find(
        (candidate) =>
          isTargetOf(candidate, reference) &&
          !isPausedScaledObject(candidate) &&
          mayGrow(workload, candidate.spec.maxReplicaCount ?? kedaMaximum, 0),
      );
      const scaler = scaledObject ?? autoscaler;
      if (scaler === undefined) return [];
      const scalerName = `${scaler.kind.toLowerCase()}/${scaler.metadata.name}`;
      const name = `${fullName(reference)}, which ${scalerName} may scale up,`;
      return [
        {
          code: 'ParkedWorkloadCouldTakeDevice',
          name,
          spec: workload.spec.template.spec,
          nextStep: `pause or delete ${scalerName} in namespace ${scaler.metadata.namespace} for the time of the hand-over`,
        },
      ];
    });
};

/** Source: KEDA, "ScaledObject specification", `maxReplicaCount`. */
const kedaMaximum = 100;

/** An HPA leaves a workload at 0 alone; KEDA starts it. */
const mayGrow = (workload: Workload, maximum: number, from: number): boolean =>
  wantedReplicas(workload) >= from && wantedReplicas(workload) < maximum;
