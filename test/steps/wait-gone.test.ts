import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { waitGone } from '../../src/steps/wait-gone.ts';
import { observe } from '../builders/cluster-state.ts';
import { at, barePod, deployment, deploymentRef, noon, podOf, replicaSetOf, terminating } from '../builders/objects.ts';

const input = { object: deploymentRef('clef-serve') };
const parked = deployment('clef-serve', { replicas: 0 });
const set = replicaSetOf(parked);
const pod = podOf(parked, 'x1');
const going = podOf(parked, 'x1', { metadata: { ...terminating(30), finalizers: ['example.com/drain'] } });

const look = (objects: readonly KubernetesObject[], now = noon) => observe(waitGone, input, objects, { now });
const settled = (after: readonly KubernetesObject[], before: readonly KubernetesObject[] = after, now = noon) =>
  waitGone.settled(input, look(after, now), look(before, now));

describe('waitGone', () => {
  it('is done at once when there was no pod from the start', () => {
    expect(waitGone.plan(input, look([parked, set]))).toEqual({ kind: 'satisfied' });
    expect(settled([parked, set])).toEqual({ done: true, evidence: 'no pod of deployment/clef-serve is left' });
  });

  it('is done when the workload itself is not there any more', () => {
    expect(settled([])).toMatchObject({ done: true });
  });

  it('waits for a pod that is Terminating: it still holds its card and answers (kubectl#1628)', () => {
    expect(waitGone.plan(input, look([parked, set, going]))).toEqual({ kind: 'change', mutations: [] });
    expect(settled([parked, set, going])).toMatchObject({ done: false, missing: 'clef-serve-x1: terminating' });
  });

  it('waits for a pod that was there when the step began, also when its ReplicaSet is gone and nothing ties it to the workload', () => {
    expect(settled([parked, going], [parked, set, pod])).toMatchObject({ done: false, missing: 'clef-serve-x1: terminating' });
  });

  it('goes by UID: a new pod of another owner with the old name and labels does not hold it up', () => {
    const namesake = barePod('clef-serve-x1', { metadata: { uid: 'another', labels: { app: 'clef-serve' } } });
    expect(settled([parked, set, namesake], [parked, set, pod])).toMatchObject({ done: true });
  });

  it('ignores pods that have finished, and mentions them (kubernetes#129259)', () => {
    const failed = podOf(parked, 'x0', { status: { phase: 'Failed' } });
    expect(settled([parked, set, failed])).toEqual({
      done: true,
      evidence: 'no pod of deployment/clef-serve is left; finished ones do not count: clef-serve-x0',
    });
  });

  it('does not believe an empty list while the workload still wants pods, and says who wants them', () => {
    const managedFields = [{ manager: 'keda-operator', time: at(0), fieldsV1: { 'f:spec': { 'f:replicas': {} } } }];
    const scaledUp = deployment('clef-serve', { replicas: 1, metadata: { generation: 3, managedFields } });
    expect(settled([scaledUp, set])).toMatchObject({
      done: false,
      troubles: [{ code: 'NotScaledToZero', message: expect.stringContaining('probably by keda-operator'), graceMs: 0 }],
    });
  });

  it('does not believe an empty list before the controller has seen the 0', () => {
    expect(settled([deployment('clef-serve', { replicas: 0, observedGeneration: 2 }), set])).toMatchObject({
      done: false,
      missing: expect.stringContaining('has not seen'),
    });
  });

  it('names node, finalizers and time of a pod that does not go, after its grace period and two minutes (kubernetes#130145)', () => {
    const result = settled([parked, set, going], [parked, set, pod], noon + 60_000);
    expect(result).toMatchObject({
      troubles: [
        {
          code: 'StuckTerminating',
          object: 'pod/clef-serve-x1',
          graceMs: 150_000,
          message: expect.stringMatching(/^terminating for 1 min on node worker-1, finalizers example\.com\/drain; poimen never forces/),
        },
      ],
    });
  });

  it('never writes, and so never deletes by force', () => {
    expect(waitGone.access(input).writes).toEqual([]);
    expect(waitGone.undo(input, look([parked]))).toEqual({ kind: 'nothing' });
  });
});
