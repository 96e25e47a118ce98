import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../src/kubernetes/apply-patch.ts';
import { PatchError } from '../../src/kubernetes/patch-error.ts';
import type { Deployment } from '../../src/kubernetes/deployment.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { scale } from '../../src/steps/scale.ts';
import { observe } from '../builders/cluster-state.ts';
import { deployment, deploymentRef, object, ref } from '../builders/objects.ts';

const toZero = { object: deploymentRef('clef-serve'), replicas: 0 };
const serving = deployment('clef-serve');
const plan = (observed: Deployment | undefined) => scale.plan(toZero, observed);

describe('scale: plan', () => {
  it('writes the new number only over the object and the number that were seen', () => {
    expect(plan(serving)).toEqual({
      kind: 'change',
      mutations: [
        {
          target: toZero.object,
          patch: [
            { op: 'test', path: '/metadata/uid', value: 'uid-of-clef-serve' },
            { op: 'test', path: '/spec/replicas', value: 1 },
            { op: 'replace', path: '/spec/replicas', value: 0 },
          ],
        },
      ],
    });
  });

  it('adds a number where none is stored, and then insists on the version that was seen', () => {
    const { replicas: _, ...spec } = serving.spec;
    expect(plan({ ...serving, spec })).toMatchObject({
      kind: 'change',
      mutations: [
        {
          patch: [
            { op: 'test', path: '/metadata/uid' },
            { op: 'test', path: '/metadata/resourceVersion', value: '100' },
            { op: 'add', path: '/spec/replicas', value: 0 },
          ],
        },
      ],
    });
  });

  it('reads a number that is not stored as 1', () => {
    const { replicas: _, ...spec } = serving.spec;
    expect(scale.plan({ ...toZero, replicas: 1 }, { ...serving, spec })).toEqual({ kind: 'satisfied' });
  });

  it('writes nothing when the number is there already, also on a paused Deployment', () => {
    expect(plan(deployment('clef-serve', { replicas: 0, spec: { paused: true } }))).toEqual({ kind: 'satisfied' });
  });

  it.each([
    ['missing', undefined, 'ObjectMissing'],
    ['paused', deployment('clef-serve', { spec: { paused: true } }), 'WorkloadPaused'],
    ['being deleted', deployment('clef-serve', { metadata: { deletionTimestamp: '2026-11-30T12:00:00Z' } }), 'ObjectBeingDeleted'],
  ])('is blocked on an object that is %s', (_, observed, code) => {
    expect(plan(observed)).toMatchObject({ kind: 'blocked', blockers: [{ code }] });
  });

  it('scales a StatefulSet in the same way', () => {
    const set = object(resources.statefulSets, 'clef-serve', {
      spec: { replicas: 2, selector: {}, template: { spec: { containers: [] } } },
    });
    const input = { object: ref(resources.statefulSets, 'clef-serve'), replicas: 0 };
    expect(scale.plan(input, observe(scale, input, [set]))).toMatchObject({
      kind: 'change',
      mutations: [{ target: { resource: { kind: 'StatefulSet' } } }],
    });
  });
});

describe('scale: settled', () => {
  it('waits for the controller: a number that it has not seen makes no pods go', () => {
    const unseen = deployment('clef-serve', { replicas: 0, observedGeneration: 2 });
    expect(scale.settled(toZero, unseen, serving)).toMatchObject({ done: false, missing: expect.stringContaining('has not seen') });
    expect(scale.settled(toZero, deployment('clef-serve', { replicas: 0 }), serving)).toMatchObject({ done: true });
  });

  it('does not take its own write, which the watch has not shown yet, for a reversal', () => {
    expect(scale.settled(toZero, serving, serving)).toEqual({ done: false, missing: 'deployment/clef-serve wants 1 pod, not 0' });
  });

  it('names who put the number back, because an autoscaler or a GitOps controller would do so for ever', () => {
    const managedFields = [
      { manager: 'poimen', time: '2026-11-30T12:00:00Z', fieldsV1: { 'f:metadata': {} } },
      { manager: 'kube-controller-manager', time: '2026-11-30T12:00:05Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ];
    const reverted = deployment('clef-serve', { metadata: { generation: 5, managedFields } });
    expect(scale.settled(toZero, reverted, serving)).toMatchObject({
      done: false,
      troubles: [
        { code: 'ReplicasPutBack', message: expect.stringContaining('probably by kube-controller-manager at 2026-11-30T12:00:05Z') },
      ],
    });
  });

  it('fails on an object that was deleted meanwhile', () => {
    expect(scale.settled(toZero, undefined, serving)).toMatchObject({ done: false, troubles: [{ code: 'ObjectMissing', graceMs: 0 }] });
  });
});

describe('scale: undo', () => {
  it('restores exactly the number that was there, over the number that was written', () => {
    const three = deployment('clef-serve', { replicas: 3 });
    const undo = scale.undo(toZero, three);
    const mutation = undo.kind === 'change' ? undo.mutations[0] : undefined;
    const scaled = deployment('clef-serve', { replicas: 0 });
    expect(applyPatch(scaled, { type: 'json', operations: mutation?.patch ?? [] }, resources.deployments)).toEqual(three);
    expect(() =>
      applyPatch(deployment('clef-serve', { replicas: 2 }), { type: 'json', operations: mutation?.patch ?? [] }, resources.deployments),
    ).toThrow(PatchError);
  });

  it('has nothing to undo when nothing was written', () => {
    expect(scale.undo(toZero, deployment('clef-serve', { replicas: 0 }))).toEqual({ kind: 'nothing' });
  });
});
