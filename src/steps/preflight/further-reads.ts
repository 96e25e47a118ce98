import type { Node } from '../../kubernetes/node.ts';
import { podRequests } from '../../kubernetes/pod-requests.ts';
import type { Service } from '../../kubernetes/service.ts';
import { deviceRequests, isBooking } from '../devices.ts';
import { aFewNodes, candidateNodes } from '../node-pods.ts';
import { allNodes, everyPod, podsOn, unboundPods } from '../selections.ts';
import type { ClusterState, Reading } from '../step-kind.ts';
import { unknownIn } from '../unknown.ts';
import { viewWorkload, type WorkloadView } from '../workload.ts';
import { gatherFacts, scalersIn } from './facts.ts';
import { checkFit, missingPods } from './fit.ts';
import type { PreflightInput } from './input.ts';
import { checkRivals } from './rivals.ts';
import { namesakesOf, scaledWorkloads, wideReads } from './wide-reads.ts';

/** What has to be read of other namespaces: only what may decide over this hand-over. */
export const furtherReads = (input: PreflightInput, state: ClusterState): readonly Reading[] => {
  const from = viewWorkload(input.from, state);
  const to = viewWorkload(input.to, state);
  return [
    ...wideReads(input).flatMap(({ selection, own }) =>
      own !== undefined && unknownIn(selection, state) !== undefined ? [own.selection] : [],
    ),
    ...(state.get<Service>(input.service) === undefined ? [namesakesOf(input.service)] : []),
    ...[from, to].flatMap(({ object, reference }) => (object === undefined ? [namesakesOf(reference)] : [])),
    ...rivalReads(input, from, to, state),
  ];
};

const rivalReads = (input: PreflightInput, from: WorkloadView, to: WorkloadView, state: ClusterState): readonly Reading[] => {
  if (from.object === undefined || to.object === undefined || unknownIn(allNodes, state) !== undefined) return [];
  if (missingPods(input, to) === 0) return [];
  const { spec } = to.object.spec.template;
  const candidates = candidateNodes(spec, state.list<Node>(allNodes)).map(({ metadata }) => metadata.name);
  if (candidates.length === 0) return [];
  const { autoscalers, scaledObjects } = scalersIn(input, state);
  const scaled = deviceRequests(podRequests(spec)).length === 0 ? [] : scaledWorkloads(input, autoscalers, scaledObjects);
  return [unboundPods, ...scaled, ...bookingReads(input, from, candidates, state)];
};

/**
 * What is booked on the nodes that the new pods could go to. Where they are many, first on those that the old pods leave: when there is room
 * enough even for everybody who could want it, nobody has to look further.
 */
const bookingReads = (
  input: PreflightInput,
  from: WorkloadView,
  candidates: readonly string[],
  state: ClusterState,
): readonly Reading[] => {
  if (candidates.length <= aFewNodes) return candidates.map(podsOn);
  const leaving = new Set(from.pods.filter(isBooking).map((pod) => pod.spec.nodeName));
  const freed = candidates.filter((name) => leaving.has(name)).map(podsOn);
  if (freed.length === 0 || freed.length > aFewNodes) return [everyPod];
  if (![unboundPods, ...freed].every((reading) => state.has(reading))) return freed;
  const facts = gatherFacts(input, state);
  const isEnough = [...checkFit(facts), ...checkRivals(facts)].every(({ kind }) => kind !== 'blocker');
  return isEnough && !state.has(everyPod) ? freed : [...freed, everyPod];
};
