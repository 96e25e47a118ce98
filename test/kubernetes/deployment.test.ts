import { describe, expect, it } from 'vitest';
import { podReadyState } from '../../src/kubernetes/deployment.ts';
import { at, deployment, noon, podOf, replicaSetOf, terminating, unschedulable } from '../builders/objects.ts';

const candle = deployment('clef-candle');
const pod = podOf(candle, 'a');
const state = (given: Partial<{ of: typeof candle; sets: ReturnType<typeof replicaSetOf>[]; pods: (typeof pod)[] }> = {}) =>
  podReadyState(given.of ?? candle, given.sets ?? [replicaSetOf(candle)], given.pods ?? [pod], noon);

const missing = (result: ReturnType<typeof state>): string => (result.ready ? 'ready' : result.missing);

describe('podReadyState', () => {
  it('is ready with as many ready pods of the current ReplicaSet as are wanted, and names them', () => {
    expect(state()).toEqual({ ready: true, pods: [pod] });
  });

  it('does not believe a status of an older spec', () => {
    expect(missing(state({ of: deployment('clef-candle', { observedGeneration: 2 }) }))).toBe(
      'the deployment controller has not seen the change yet',
    );
  });

  it('is not ready at 0 replicas, which "Available" calls available', () => {
    expect(missing(state({ of: deployment('clef-candle', { replicas: 0 }), pods: [] }))).toBe('deployment/clef-candle is scaled to 0');
  });

  it('counts no pod of an older template, however ready it is', () => {
    const changed = deployment('clef-candle', { podSpec: { priorityClassName: 'high' } });
    expect(missing(state({ of: changed }))).toBe('no replica set for the current pod template yet');
    const current = replicaSetOf(changed, { name: 'clef-candle-new', uid: 'uid-of-new' });
    expect(missing(state({ of: changed, sets: [replicaSetOf(candle), current] }))).toBe('0 of 1 pods ready');
  });

  it("counts no ReplicaSet of somebody else's that has the same template", () => {
    const foreign = { ...replicaSetOf(candle), metadata: { ...replicaSetOf(candle).metadata, ownerReferences: [] } };
    expect(missing(state({ sets: [foreign] }))).toBe('no replica set for the current pod template yet');
  });

  it('counts neither terminating nor failed pods', () => {
    expect(missing(state({ pods: [podOf(candle, 'a', { metadata: terminating(20) })] }))).toBe('0 of 1 pods ready');
    expect(missing(state({ pods: [{ ...pod, status: { ...pod.status, phase: 'Failed' } }] }))).toBe('0 of 1 pods ready');
  });

  it('waits for all that are wanted', () => {
    const two = deployment('clef-candle', { replicas: 2 });
    const starting = podOf(two, 'b', { status: { phase: 'Running' } });
    expect(missing(state({ of: two, pods: [pod, starting] }))).toBe('1 of 2 pods ready; clef-candle-b: started, not ready yet');
  });

  it('honours minReadySeconds', () => {
    const careful = deployment('clef-candle', { spec: { minReadySeconds: 60 } });
    const fresh = podOf(careful, 'a', {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(-59) }] },
    });
    expect(missing(state({ of: careful, pods: [fresh] }))).toBe('0 of 1 pods ready; clef-candle-a: ready for less than 60 s');
    expect(podReadyState(careful, [replicaSetOf(careful)], [fresh], noon + 1000).ready).toBe(true);
  });

  it('honours readiness gates', () => {
    const gated = deployment('clef-candle', { podSpec: { readinessGates: [{ conditionType: 'example.com/warm' }] } });
    expect(missing(state({ of: gated, sets: [replicaSetOf(gated)], pods: [podOf(gated, 'a')] }))).toContain('0 of 1 pods ready');
  });

  it('names the troubles of pods and of the ReplicaSet', () => {
    const quota = {
      ...replicaSetOf(candle),
      status: {
        replicas: 0,
        conditions: [
          {
            type: 'ReplicaFailure',
            status: 'True' as const,
            reason: 'FailedCreate',
            message: 'pods "clef-candle-x" is forbidden: exceeded quota: gpus, requested: 1',
          },
        ],
      },
    };
    expect(state({ sets: [quota], pods: [podOf(candle, 'b', unschedulable('0/1 nodes are available'))] })).toMatchObject({
      troubles: [
        { code: 'FailedCreate', object: 'replicaset/clef-candle-7d9f', graceMs: 0 },
        { code: 'Unschedulable', object: 'pod/clef-candle-b' },
      ],
    });
  });
});
