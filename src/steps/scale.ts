import { z } from 'zod';
import { isObserved, wantedReplicas } from '../kubernetes/deployment.ts';
import { shortName } from '../kubernetes/reference.ts';
import type { JsonPatchOperation } from '../kubernetes/patch.ts';
import { probablyBy } from '../ownership/managed-fields.ts';
import { missingObject, objectBeingDeleted, workloadPaused } from './blockers.ts';
import { objectNameOf } from './object-name.ts';
import { siblingsOf } from './selections.ts';
import type { Input, Mutation, StepKind } from './step-kind.ts';
import { isPausedWorkload, workloadKinds, type Workload } from './workload.ts';
import { podCount } from './pod-count.ts';

const input = z.strictObject({
  object: objectNameOf(workloadKinds, 'The Deployment or StatefulSet to scale.'),
  replicas: z.int().nonnegative().meta({ description: 'How many pods it is to have; 0 parks it.' }),
});

type ScaleRaw = z.infer<typeof input>;

/**
 * Sets `spec.replicas` of a Deployment or StatefulSet, on the object itself (not `/scale`), so that what is tested and what is
 * written are one object.
 *
 * Settled means that the controller has seen the new number. Pods that come and go are the business of `waitGone` and
 * `waitReady`.
 *
 * Source: Kubernetes API reference, DeploymentSpec and StatefulSetSpec v1 apps.
 */
export const scale: StepKind<ScaleRaw, Workload | undefined> = {
  name: 'scale',
  summary: 'Sets the number of pods of a Deployment or StatefulSet.',
  input,
  defaultDeadlineMs: 60_000,

  title: ({ object, replicas }) => `scale ${shortName(object)} to ${replicas}`,
  access: ({ object }) => ({ reads: [siblingsOf(object)], writes: [object] }),
  observe: ({ object }, state) => state.get<Workload>(object),

  plan(step, observed) {
    if (observed === undefined) return { kind: 'blocked', blockers: [missingObject(step.object)] };
    if (observed.metadata.deletionTimestamp !== undefined)
      return { kind: 'blocked', blockers: [objectBeingDeleted(step.object, observed)] };
    if (wantedReplicas(observed) === step.replicas) return { kind: 'satisfied' };
    if (isPausedWorkload(observed)) return { kind: 'blocked', blockers: [workloadPaused(step.object)] };
    return { kind: 'change', mutations: [setReplicas(step, observed, observed.spec.replicas, step.replicas)] };
  },

  settled(step, observed, before) {
    const name = shortName(step.object);
    if (observed === undefined) {
      const trouble = { code: 'ObjectMissing', object: name, message: 'it was deleted', graceMs: 0 };
      return { done: false, missing: `${name} does not exist any more`, troubles: [trouble] };
    }
    const replicas = wantedReplicas(observed);
    if (replicas !== step.replicas) {
      const missing = `${name} wants ${podCount(replicas)}, not ${step.replicas}`;
      return wasWrittenTwice(observed, before) ? { done: false, missing, troubles: [putBack(step, observed)] } : { done: false, missing };
    }
    if (!isObserved(observed)) return { done: false, missing: `the controller of ${name} has not seen the change yet` };
    return { done: true, evidence: `${name} wants ${podCount(replicas)}, and its controller has seen it` };
  },

  undo(step, before) {
    if (before === undefined || wantedReplicas(before) === step.replicas) return { kind: 'nothing' };
    return { kind: 'change', mutations: [setReplicas(step, before, step.replicas, wantedReplicas(before))] };
  },
};

/** The spec moved once for our own write (which a watch may not have shown yet); a second time, it was somebody else. */
const wasWrittenTwice = (observed: Workload, before: Workload | undefined): boolean =>
  before !== undefined && (observed.metadata.generation ?? 0) >= (before.metadata.generation ?? 0) + 2;

const putBack = (step: Input<ScaleRaw>, observed: Workload): { code: string; object: string; message: string; graceMs: number } => ({
  code: 'ReplicasPutBack',
  object: shortName(step.object),
  message: `somebody set it to ${wantedReplicas(observed)} again, ${probablyBy(observed, ['spec', 'replicas']) || 'nobody knows who'}`,
  graceMs: 0,
});

/**
 * Tests the UID and the old number, not the resourceVersion: that one moves with every status. A number that is not stored
 * cannot be tested; there the resourceVersion has to do.
 */
const setReplicas = ({ object }: Input<ScaleRaw>, { metadata }: Workload, from: number | undefined, to: number): Mutation => {
  const write: readonly JsonPatchOperation[] =
    from === undefined
      ? [
          { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
          { op: 'add', path: '/spec/replicas', value: to },
        ]
      : [
          { op: 'test', path: '/spec/replicas', value: from },
          { op: 'replace', path: '/spec/replicas', value: to },
        ];
  return { target: object, patch: [{ op: 'test', path: '/metadata/uid', value: metadata.uid }, ...write] };
};
