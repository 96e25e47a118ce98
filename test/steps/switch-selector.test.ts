import { assert, dictionary, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../src/kubernetes/apply-patch.ts';
import { PatchError } from '../../src/kubernetes/patch-error.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import type { JsonPatch } from '../../src/kubernetes/patch.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import type { Decision, Undo } from '../../src/steps/step-kind.ts';
import { switchSelector } from '../../src/steps/switch-selector.ts';
import { observe } from '../builders/cluster-state.ts';
import { barePod, deployment, deploymentRef, ownedBy, object, podOf, replicaSetOf, service, serviceRef } from '../builders/objects.ts';

const input = { service: serviceRef('clef-serve'), to: deploymentRef('clef-candle') };
const candle = deployment('clef-candle');
const before = service('clef-serve', { app: 'clef-serve', tier: 'models' });
const moved = service('clef-serve', { app: 'clef-candle' });

const plan = (objects: readonly KubernetesObject[], step: Parameters<typeof switchSelector.plan>[0] = input) =>
  switchSelector.plan(step, observe(switchSelector, step, objects));
const patchOf = (decision: Decision | Undo): JsonPatch => (decision.kind === 'change' ? (decision.mutations[0]?.patch ?? []) : []);
const settled = (after: readonly KubernetesObject[], start: readonly KubernetesObject[] = [before, candle]) =>
  switchSelector.settled(input, observe(switchSelector, input, after), observe(switchSelector, input, start));

describe('switchSelector: plan', () => {
  it('replaces the selector as a whole, so that no old key stays and selects nothing (kubernetes#36509, #97970)', () => {
    expect(patchOf(plan([before, candle]))).toEqual([
      { op: 'test', path: '/metadata/resourceVersion', value: '100' },
      { op: 'test', path: '/spec/selector', value: { app: 'clef-serve', tier: 'models' } },
      { op: 'replace', path: '/spec/selector', value: { app: 'clef-candle' } },
    ]);
    const patched = applyPatch(before, { type: 'json', operations: patchOf(plan([before, candle])) }, resources.services);
    expect(patched).toMatchObject({ spec: { ...before.spec, selector: { app: 'clef-candle' } } });
    expect(patched).not.toHaveProperty('spec.selector.tier');
  });

  it('does not write over a Service that somebody changed after it was seen', () => {
    const operations = patchOf(plan([before, candle]));
    const touched = service('clef-serve', before.spec.selector, { metadata: { resourceVersion: '101' } });
    expect(() => applyPatch(touched, { type: 'json', operations }, resources.services)).toThrow(PatchError);
    expect(() => applyPatch(service('clef-serve', { app: 'other' }), { type: 'json', operations }, resources.services)).toThrow(PatchError);
  });

  it('is satisfied when the selector is the wanted one to the letter, and not when it has one key more', () => {
    expect(plan([moved, candle])).toEqual({ kind: 'satisfied' });
    expect(plan([service('clef-serve', { app: 'clef-candle', tier: 'models' }), candle])).toMatchObject({ kind: 'change' });
  });

  it('takes the given selector instead of matchLabels', () => {
    const labelled = deployment('clef-candle', { labels: { app: 'clef-candle', side: 'new' } });
    expect(patchOf(plan([before, labelled], { ...input, selector: { side: 'new' } }))).toContainEqual({
      op: 'replace',
      path: '/spec/selector',
      value: { side: 'new' },
    });
  });

  const expressions = deployment('clef-candle', {
    spec: { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['clef-candle'] }] } },
  });
  const deleted = service('clef-serve', before.spec.selector, { metadata: { deletionTimestamp: '2026-11-30T12:00:00Z' } });
  const stranger = barePod('debug', { metadata: { labels: { app: 'clef-candle' } } });

  it.each<[string, readonly KubernetesObject[], string]>([
    ['the Service is missing', [candle], 'ObjectMissing'],
    ['the new workload is missing', [before], 'ObjectMissing'],
    ['the Service is being deleted', [deleted, candle], 'ObjectBeingDeleted'],
    ['the Service has no selector: its slices are written by hand', [service('clef-serve', undefined), candle], 'ServiceWithoutSelector'],
    [
      'the Service is an ExternalName',
      [service('clef-serve', undefined, { spec: { type: 'ExternalName', externalName: 'example.com' } }), candle],
      'ServiceIsExternalName',
    ],
    [
      'the new selector would be empty: a blackout (argo-rollouts#4750)',
      [before, deployment('clef-candle', { labels: {} })],
      'SelectorEmpty',
    ],
    ['the new workload selects by expressions, which a Service cannot', [before, expressions], 'SelectorNotExpressible'],
    ['a pod of nobody carries the new label: it would get a share', [before, candle, stranger], 'SelectorMatchesOtherPods'],
    [
      "a controller owns the Service: KServe's puts the selector back in 20 ms",
      [service('clef-serve', before.spec.selector, { metadata: ownedBy(object(resources.inferenceServices, 'clef')) }), candle],
      'OwnedByKserve',
    ],
  ])('is blocked when %s', (_, objects, code) => {
    expect(plan(objects)).toMatchObject({ kind: 'blocked', blockers: [{ code }] });
  });

  it('is blocked when the given selector does not select the new pods', () => {
    expect(plan([before, candle], { ...input, selector: { app: 'typo' } })).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'SelectorMatchesNothing' }],
    });
  });

  it('does not mind the new pods themselves, nor finished ones with their label', () => {
    const finished = barePod('old-job', { metadata: { labels: { app: 'clef-candle' } }, status: { phase: 'Succeeded' } });
    expect(plan([before, candle, replicaSetOf(candle), podOf(candle, 'n1'), finished])).toMatchObject({ kind: 'change' });
  });

  it('whatever the labels are, never removes the selector or makes it empty on the way (kubernetes#103804, argo-rollouts#4750)', () => {
    const labels = dictionary(string(), string(), { maxKeys: 3 });
    assert(
      property(labels, labels, (old, wanted) => {
        const decision = plan([service('clef-serve', old), deployment('clef-candle', { labels: wanted })]);
        const writes = patchOf(decision).filter(({ op }) => op !== 'test');
        expect(writes.every((write) => write.op === 'replace' && Object.keys(write.value ?? {}).length > 0)).toBe(true);
      }),
    );
  });

  it('refuses an empty selector already in the runbook', () => {
    expect(switchSelector.input.safeParse({ service: 's', to: 't', selector: {} }).success).toBe(false);
  });
});

describe('switchSelector: settled', () => {
  it('is done when the Service has exactly the new selector', () => {
    expect(settled([moved, candle])).toEqual({ done: true, evidence: 'service/clef-serve selects app=clef-candle' });
    expect(settled([before, candle])).toMatchObject({
      done: false,
      missing: 'service/clef-serve selects app=clef-serve,tier=models, not app=clef-candle',
    });
  });

  it('names who put the selector back, after a moment: KServe does it in 20 ms', () => {
    const managedFields = [
      { manager: 'kserve-controller-manager', time: '2026-11-30T12:00:00Z', fieldsV1: { 'f:spec': { 'f:selector': {} } } },
    ];
    const putBack = service('clef-serve', before.spec.selector, { metadata: { resourceVersion: '102', managedFields } });
    expect(settled([putBack, candle])).toMatchObject({
      done: false,
      troubles: [{ code: 'SelectorPutBack', graceMs: 2000, message: expect.stringContaining('set probably by kserve-controller-manager') }],
    });
  });

  it('does not take its own write, which the watch has not shown yet, for a reversal', () => {
    expect(settled([before, candle])).toEqual({ done: false, missing: expect.any(String) });
  });

  it('is not done when the workload that it was to select is gone', () => {
    expect(settled([moved])).toMatchObject({ done: false, missing: 'deployment/clef-candle does not exist' });
  });

  it.each<[string, KubernetesObject[]]>([
    ['was made anew under its name', [service('clef-serve', { app: 'clef-candle' }, { metadata: { uid: 'another' } })]],
    [
      'has another ClusterIP, which clients that cached the name do not know',
      [service('clef-serve', { app: 'clef-candle' }, { spec: { clusterIP: '10.96.0.99' } })],
    ],
    ['was deleted', []],
  ])('fails at once when the Service %s', (_, services) => {
    expect(settled([...services, candle])).toMatchObject({ done: false, troubles: [{ code: 'ServiceReplaced', graceMs: 0 }] });
  });
});

describe('switchSelector: undo', () => {
  it('restores the old selector verbatim, over exactly the one that was written', () => {
    const undo = switchSelector.undo(input, observe(switchSelector, input, [before, candle]));
    expect(applyPatch(moved, { type: 'json', operations: patchOf(undo) }, resources.services)).toEqual(before);
    expect(() =>
      applyPatch(service('clef-serve', { app: 'third' }), { type: 'json', operations: patchOf(undo) }, resources.services),
    ).toThrow(PatchError);
  });

  it('has nothing to undo when the selector was there already', () => {
    expect(switchSelector.undo(input, observe(switchSelector, input, [moved, candle]))).toEqual({ kind: 'nothing' });
  });
});
