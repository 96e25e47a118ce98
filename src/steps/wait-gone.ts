import { z } from 'zod';
import { isObserved, wantedReplicas } from '../kubernetes/deployment.ts';
import { formatDuration } from '../kubernetes/duration.ts';
import { isTerminal, isTerminating, type Pod } from '../kubernetes/pod.ts';
import { shortName } from '../kubernetes/reference.ts';
import { probablyBy } from '../ownership/managed-fields.ts';
import { objectNameOf } from './object-name.ts';
import { podsIn, workloadSelections } from './selections.ts';
import type { Settled, StepKind, Trouble } from './step-kind.ts';
import { viewWorkload, workloadKinds, type WorkloadView } from './workload.ts';
import { podCount } from './pod-count.ts';

const input = z.strictObject({
  object: objectNameOf(workloadKinds, 'The Deployment or StatefulSet whose pods are to be gone.'),
});

type WaitGoneRaw = z.infer<typeof input>;

export interface WaitGoneObserved {
  readonly workload: WorkloadView;
  /** Every pod of the workload's namespace that has not finished, by UID: also one that has lost its labels. */
  readonly present: ReadonlyMap<string, Pod>;
}

/** What a node may take for a pod whose own grace period has passed, before a person is asked. */
const removalMs = 120_000;

/**
 * Waits until the workload's pods are absent: those that were there when the step began and any made since, by UID, Terminating
 * ones included, because they still hold their devices and answer (kubectl#1628). Absence from the start is success.
 *
 * Pods that have finished (Succeeded, Failed) hold nothing and serve nothing: they are mentioned, not waited for
 * (kubernetes#129259). A pod that does not go is never forced: a forced deletion frees the name, not the card
 * (kubernetes#130145).
 */
export const waitGone: StepKind<WaitGoneRaw, WaitGoneObserved> = {
  name: 'waitGone',
  summary: 'Waits until no pod of a workload is left, Terminating ones included.',
  input,
  defaultDeadlineMs: 5 * 60_000,

  title: ({ object }) => `wait until the pods of ${shortName(object)} are gone`,
  access: ({ object }) => ({ reads: workloadSelections(object), writes: [] }),
  observe: ({ object }, state) => ({
    workload: viewWorkload(object, state),
    present: new Map(
      state
        .list<Pod>(podsIn(object.namespace))
        .flatMap((pod) => (pod.metadata.uid === undefined || isTerminal(pod) ? [] : [[pod.metadata.uid, pod] as const])),
    ),
  }),

  plan: (_, observed) => (judge(observed, observed).done ? { kind: 'satisfied' } : { kind: 'change', mutations: [] }),
  settled: (_, observed, before) => judge(observed, before),
  undo: () => ({ kind: 'nothing' }),
  confirms: ({ object }) => [podsIn(object.namespace)],
};

const judge = (observed: WaitGoneObserved, before: WaitGoneObserved): Settled => {
  const { workload, present } = observed;
  const left = new Map(workload.pods.filter((pod) => !isTerminal(pod)).map((pod) => [pod.metadata.uid, pod]));
  for (const { metadata } of before.workload.pods) {
    const pod = metadata.uid === undefined ? undefined : present.get(metadata.uid);
    if (pod !== undefined) left.set(metadata.uid, pod);
  }
  if (left.size > 0) {
    const pods = [...left.values()];
    return {
      done: false,
      missing: pods.map(stillThere).join('; '),
      troubles: [...comingBack(workload), ...pods.filter(isTerminating).map((pod) => stuck(pod, workload.now))],
    };
  }

  const name = shortName(workload.reference);
  if (workload.object !== undefined) {
    const replicas = wantedReplicas(workload.object);
    if (replicas > 0) return { done: false, missing: `${name} wants ${podCount(replicas)}`, troubles: comingBack(workload) };
    if (!isObserved(workload.object)) return { done: false, missing: `the controller of ${name} has not seen the change yet` };
  }
  const finished = workload.pods.filter(isTerminal).map(({ metadata }) => metadata.name);
  const mention = finished.length === 0 ? '' : `; finished ones do not count: ${finished.join(', ')}`;
  return { done: true, evidence: `no pod of ${name} is left${mention}` };
};

const stillThere = (pod: Pod): string => `${pod.metadata.name}: ${isTerminating(pod) ? 'terminating' : 'running'}`;

/** The workload was at 0 and is not any more: its pods would come back for ever. */
const comingBack = ({ reference, object }: WorkloadView): readonly Trouble[] => {
  if (object === undefined || wantedReplicas(object) === 0) return [];
  const by = probablyBy(object, ['spec', 'replicas']);
  const message = `it wants ${podCount(wantedReplicas(object))}${by === '' ? '' : `, set ${by}`}: as long as it does, they do not go`;
  return [{ code: 'NotScaledToZero', object: shortName(reference), message, graceMs: 0 }];
};

/** The grace counts from the moment the pod is seen to be Terminating, so it begins with the pod's own grace period. */
const stuck = (pod: Pod, now: number): Trouble => {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
  const graceMs = deletionGracePeriodSeconds * 1000;
  const askedAt = Date.parse(deletionTimestamp ?? '') - graceMs; // deletionTimestamp is when the grace period ends
  const since = Number.isNaN(askedAt) ? '' : ` for ${formatDuration(Math.max(0, now - askedAt))}`;
  const where = pod.spec.nodeName === undefined ? 'on no node' : `on node ${pod.spec.nodeName}`;
  const held =
    finalizers.length === 0 ? 'no finalizers, so its node has not confirmed that it stopped' : `finalizers ${finalizers.join(', ')}`;
  return {
    code: 'StuckTerminating',
    object: `pod/${pod.metadata.name}`,
    message: `terminating${since} ${where}, ${held}; poimen never forces a deletion, because the card would stay booked`,
    graceMs: graceMs + removalMs,
  };
};
