import { describe, expect, it } from 'vitest';
import { currentReplicaSet, replicaSetTroubles, revisionAnnotation, revisionOf } from '../../src/kubernetes/replica-set.ts';
import { at, deployment, replicaSetOf } from '../builders/objects.ts';

const serve = deployment('clef-serve');

describe('currentReplicaSet', () => {
  it('takes the oldest of several with the same template, as the controller does', () => {
    const older = replicaSetOf(serve, { name: 'old', creationTimestamp: at(-20) });
    const newer = replicaSetOf(serve, { name: 'new', creationTimestamp: at(-10) });
    expect(currentReplicaSet(serve, [newer, older])).toBe(older);
  });

  it('looks past the hash and the order of keys, at nothing else', () => {
    const set = replicaSetOf(serve);
    const template = { spec: set.spec.template.spec, metadata: { labels: { 'pod-template-hash': 'other', app: 'clef-serve' } } };
    expect(currentReplicaSet(serve, [{ ...set, spec: { ...set.spec, template } }])).toBeDefined();
    const annotated = { ...template, metadata: { ...template.metadata, annotations: { restartedAt: 'x' } } };
    expect(currentReplicaSet(serve, [{ ...set, spec: { ...set.spec, template: annotated } }])).toBeUndefined();
  });
});

describe('revisionOf', () => {
  it('is 0 until the controller has numbered it', () => {
    expect(revisionOf(replicaSetOf(serve, { annotations: { [revisionAnnotation]: '12' } }))).toBe(12);
    expect(revisionOf(replicaSetOf(serve))).toBe(0);
    expect(revisionOf(replicaSetOf(serve, { annotations: { [revisionAnnotation]: 'x' } }))).toBe(0);
  });
});

describe('replicaSetTroubles', () => {
  const failing = (status: 'True' | 'False', message: string) => ({
    ...replicaSetOf(serve),
    status: { replicas: 0, conditions: [{ type: 'ReplicaFailure', status, reason: 'FailedCreate', message }] },
  });

  it('fails at once on a refusal, and gives a webhook that is down a minute', () => {
    expect(replicaSetTroubles(failing('True', 'pods "x" is forbidden: exceeded quota: gpus'))).toMatchObject([
      { code: 'FailedCreate', graceMs: 0 },
    ]);
    expect(replicaSetTroubles(failing('True', 'Internal error occurred: failed calling webhook'))).toMatchObject([
      { code: 'FailedCreate', graceMs: 60_000 },
    ]);
  });

  it('has none once the condition has passed', () => {
    expect(replicaSetTroubles(failing('False', 'pods "x" is forbidden'))).toEqual([]);
  });
});
