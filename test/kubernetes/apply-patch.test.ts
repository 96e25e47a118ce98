import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPatch, PatchError } from '../../src/kubernetes/apply-patch.ts';
import type { JsonPatch, Patch } from '../../src/kubernetes/patch.ts';
import { resources } from '../../src/kubernetes/resource.ts';

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'clef-serve', resourceVersion: '7', labels: { 'app.kubernetes.io/name': 'clef' } },
  spec: { selector: { app: 'clef-serve', tier: 'gpu' } },
};

const patched = (patch: Patch) => applyPatch(service, patch, resources.services);
const byJson = (...operations: JsonPatch) => patched({ type: 'json', operations });

const codeOf = (attempt: () => unknown): unknown => {
  try {
    attempt();
    return 'applied';
  } catch (error) {
    return error instanceof PatchError ? error.code : error;
  }
};

describe('JSON Patch', () => {
  it('replaces a whole selector, so that no stale key stays (kubernetes#97970)', () => {
    const result = byJson(
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'test', path: '/spec/selector', value: { tier: 'gpu', app: 'clef-serve' } },
      { op: 'replace', path: '/spec/selector', value: { app: 'clef-candle' } },
    );
    expect(result['spec']).toEqual({ selector: { app: 'clef-candle' } });
  });

  it('leaves the given object as it was, also when a later operation fails', () => {
    const before = structuredClone(service);
    const failing: JsonPatch = [
      { op: 'replace', path: '/spec/selector/app', value: 'x' },
      { op: 'test', path: '/metadata/resourceVersion', value: '8' },
    ];
    expect(codeOf(() => byJson(...failing))).toBe('TestFailed');
    expect(service).toEqual(before);
  });

  it.each<[string, JsonPatch[number], string]>([
    ['a test of another value', { op: 'test', path: '/metadata/resourceVersion', value: '8' }, 'TestFailed'],
    ['a test of another type', { op: 'test', path: '/metadata/resourceVersion', value: 7 }, 'TestFailed'],
    ['a test of a subset of a map', { op: 'test', path: '/spec/selector', value: { app: 'clef-serve' } }, 'TestFailed'],
    ['a test of an absent key', { op: 'test', path: '/metadata/uid', value: 'u' }, 'TestFailed'],
    ['a test of an absent key against null, as the server has it', { op: 'test', path: '/metadata/uid', value: null }, 'applied'],
    ['a replace of an absent key, as the server has it', { op: 'replace', path: '/spec/type', value: 'ClusterIP' }, 'applied'],
    ['a replace below an absent map', { op: 'replace', path: '/status/a/b', value: 1 }, 'PathMissing'],
    ['an add below an absent map', { op: 'add', path: '/status/a/b', value: 1 }, 'PathMissing'],
    ['a remove of an absent key', { op: 'remove', path: '/spec/type' }, 'PathMissing'],
    ['a path without a slash', { op: 'remove', path: 'spec' }, 'Malformed'],
    ['a removal of the metadata', { op: 'remove', path: '/metadata' }, 'Malformed'],
    ['an escaped key', { op: 'test', path: '/metadata/labels/app.kubernetes.io~1name', value: 'clef' }, 'applied'],
  ])('%s', (_case, operation, expected) => {
    expect(codeOf(() => byJson(operation))).toBe(expected);
  });

  it('replaces by compare-and-swap: exactly when the tested value is the present one', () => {
    const selector = fc.dictionary(fc.constantFrom('app', 'tier', 'x'), fc.constantFrom('a', 'b'));
    fc.assert(
      fc.property(selector, selector, selector, (present, tested, wanted) => {
        const object = { ...service, spec: { selector: present } };
        const operations: JsonPatch = [
          { op: 'test', path: '/spec/selector', value: tested },
          { op: 'replace', path: '/spec/selector', value: wanted },
        ];
        const same = JSON.stringify(Object.entries(present).toSorted()) === JSON.stringify(Object.entries(tested).toSorted());
        const swap = () => applyPatch(object, { type: 'json', operations }, resources.services);
        if (same) expect(swap()['spec']).toEqual({ selector: wanted });
        else expect(codeOf(swap)).toBe('TestFailed');
      }),
    );
  });
});

describe('merge patch', () => {
  it('adds map keys and removes nulls: a stale selector key stays unless it is named', () => {
    expect(patched({ type: 'merge', body: { spec: { selector: { app: 'clef-candle' } } } })['spec']).toEqual({
      selector: { app: 'clef-candle', tier: 'gpu' },
    });
    expect(patched({ type: 'merge', body: { spec: { selector: { tier: null } } } })['spec']).toEqual({ selector: { app: 'clef-serve' } });
  });

  it('replaces lists whole and drops nulls in what is new', () => {
    const result = patched({ type: 'merge', body: { spec: { ports: [{ port: 80 }], extra: { a: null, b: 1 } } } });
    expect(result['spec']).toMatchObject({ ports: [{ port: 80 }], extra: { b: 1 } });
    expect(result['spec']).not.toHaveProperty('extra.a');
  });

  it('refuses a body that is no object, and one that leaves no object', () => {
    expect(codeOf(() => patched({ type: 'merge', body: [] }))).toBe('Malformed');
    expect(codeOf(() => patched({ type: 'merge', body: { metadata: null } }))).toBe('Malformed');
  });
});

describe('strategic merge patch', () => {
  it('is refused for custom resources, also for those whose group looks built in', () => {
    const gateway = { group: 'gateway.networking.k8s.io', version: 'v1', plural: 'httproutes', kind: 'HTTPRoute', namespaced: true };
    expect(codeOf(() => applyPatch(service, { type: 'strategic', body: {} }, resources.scaledObjects))).toBe('UnsupportedMediaType');
    expect(codeOf(() => applyPatch(service, { type: 'strategic', body: {} }, gateway))).toBe('UnsupportedMediaType');
    expect(codeOf(() => applyPatch(service, { type: 'strategic', body: {} }, resources.services))).toBe('applied');
  });
});
