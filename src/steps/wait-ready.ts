import { z } from 'zod';
import { wantedReplicas } from '../kubernetes/deployment.ts';
import type { Pod } from '../kubernetes/pod.ts';
import { shortName } from '../kubernetes/reference.ts';
import { probablyBy } from '../ownership/managed-fields.ts';
import { takersOf } from './devices.ts';
import { objectNameOf } from './object-name.ts';
import { distinct, takerReadings } from './node-pods.ts';
import { podsIn, workloadSelections } from './selections.ts';
import type { Input, Settled, StepKind, Trouble } from './step-kind.ts';
import { readyStateOf, viewWorkload, workloadKinds, type WorkloadView } from './workload.ts';
import { podCount } from './pod-count.ts';

const input = z.strictObject({
  object: objectNameOf(workloadKinds, 'The Deployment or StatefulSet whose pods are to be ready.'),
  replicas: z.int().positive().optional().meta({ description: 'How many at least. Default: as many as the object wants.' }),
});

type WaitReadyRaw = z.infer<typeof input>;

export interface WaitReadyObserved {
  readonly workload: WorkloadView;
  /** Who got a device that the workload's pods wait for. */
  readonly taken: readonly Trouble[];
}

/** Whoever took the card may be gone in a moment. */
const takenGraceMs = 10_000;

/**
 * Waits until the pods could take traffic: the controller has seen the spec, at least one replica is wanted, and as many pods of
 * the present template are ready, `minReadySeconds` and readiness gates included. "Available" and a resource's own "Ready" are
 * not asked: they are True with no pod and while one crash-loops (kserve#4626, #1859).
 *
 * Waiting does not hope for ProgressDeadlineExceeded, which scaling from 0 never sets (kubernetes#78678): the causes are read from
 * the pods, their ReplicaSet and who holds the cards.
 */
export const waitReady: StepKind<WaitReadyRaw, WaitReadyObserved> = {
  name: 'waitReady',
  summary: 'Waits until the pods of a workload are ready, and says what keeps them from it.',
  input,
  defaultDeadlineMs: 30 * 60_000,

  title: ({ object }) => `wait until the pods of ${shortName(object)} are ready`,
  access: ({ object }) => ({ reads: workloadSelections(object), writes: [] }),
  alsoReads: ({ object }, state) => takerReadings(viewWorkload(object, state).pods, state),

  observe({ object }, state) {
    const workload = viewWorkload(object, state);
    const holders = takerReadings(workload.pods, state).flatMap((reading) => (state.has(reading) ? state.list<Pod>(reading) : []));
    const others = distinct(state.list<Pod>(podsIn(object.namespace)), holders).filter((pod) => !workload.pods.includes(pod));
    return { workload, taken: workload.pods.flatMap((pod) => takersOf(pod, others).map((taker) => deviceTaken(pod, taker))) };
  },

  plan: (step, observed) => (judge(step, observed).done ? { kind: 'satisfied' } : { kind: 'change', mutations: [] }),
  settled: (step, observed) => judge(step, observed),
  undo: () => ({ kind: 'nothing' }),
};

const judge = ({ replicas = 1 }: Input<WaitReadyRaw>, { workload, taken }: WaitReadyObserved): Settled => {
  const name = shortName(workload.reference);
  if (workload.object === undefined) {
    return {
      done: false,
      missing: `${name} does not exist`,
      troubles: [{ code: 'ObjectMissing', object: name, message: 'there is no such object', graceMs: 0 }],
    };
  }
  const wanted = wantedReplicas(workload.object);
  if (wanted < replicas) {
    const by = probablyBy(workload.object, ['spec', 'replicas']);
    const message = `it wants ${podCount(wanted)}, not ${replicas}${by === '' ? '' : `; set ${by}`}`;
    return {
      done: false,
      missing: `${name} wants ${podCount(wanted)}, not ${replicas}`,
      troubles: [{ code: 'ScaledDown', object: name, message, graceMs: 0 }],
    };
  }
  const state = readyStateOf(workload);
  if (!state.ready) return { done: false, missing: state.missing, troubles: [...taken, ...state.troubles] };
  return { done: true, evidence: `ready: ${state.pods.map(({ metadata }) => metadata.name).join(', ')}` };
};

const deviceTaken = (waiting: Pod, { pod, device }: { readonly pod: Pod; readonly device: string }): Trouble => ({
  code: 'DeviceTaken',
  object: `pod/${waiting.metadata.name}`,
  message: `${device} taken by ${pod.metadata.namespace}/${pod.metadata.name} on node ${pod.spec.nodeName}`,
  graceMs: takenGraceMs,
});
