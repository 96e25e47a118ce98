import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/kubernetes/json.ts';
import { PatchError } from '../../src/kubernetes/patch-error.ts';
import { applyStrategicMergePatch } from '../../src/kubernetes/strategic-merge-patch.ts';

const merge = (document: JsonObject, patch: JsonObject, kind = 'Deployment'): JsonObject =>
  applyStrategicMergePatch(document, patch, { kind, listOrder: 'server' });
const inPod = (before: JsonObject, patch: JsonObject): unknown => merge({ spec: before }, { spec: patch }, 'Pod')['spec'];

describe('strategic merge: lists', () => {
  it('merges containers by name and their env and ports by their own keys', () => {
    const before = {
      containers: [
        { name: 'serve', image: 'a', env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 8080, name: 'http' }] },
        { name: 'side' },
      ],
    };
    const patch = {
      containers: [
        {
          name: 'serve',
          env: [
            { name: 'Y', value: '2' },
            { name: 'X', value: '3' },
          ],
          ports: [{ containerPort: 8080, hostPort: 1 }],
        },
      ],
    };
    expect(inPod(before, patch)).toEqual({
      containers: [
        {
          name: 'serve',
          image: 'a',
          env: [
            { name: 'Y', value: '2' },
            { name: 'X', value: '3' },
          ],
          ports: [{ containerPort: 8080, name: 'http', hostPort: 1 }],
        },
        { name: 'side' },
      ],
    });
  });

  it("merges a Service's ports by port, and an EndpointSlice's not at all", () => {
    const before = { spec: { ports: [{ port: 80, name: 'http' }, { port: 81 }] } };
    expect(merge(before, { spec: { ports: [{ port: 80, targetPort: 8080 }] } }, 'Service')).toEqual({
      spec: { ports: [{ port: 80, name: 'http', targetPort: 8080 }, { port: 81 }] },
    });
    expect(merge({ ports: [{ port: 80 }] }, { ports: [{ port: 81 }] }, 'EndpointSlice')).toEqual({ ports: [{ port: 81 }] });
  });

  it.each<[string, unknown, unknown, unknown]>([
    ['volumes', [{ name: 'a', secret: {} }], [{ name: 'b' }], [{ name: 'b' }, { name: 'a', secret: {} }]],
    ['imagePullSecrets', [{ name: 'a' }], [{ name: 'b' }], [{ name: 'b' }, { name: 'a' }]],
    ['tolerations', [{ key: 'a' }], [{ key: 'b' }], [{ key: 'b' }]],
    ['readinessGates', [{ conditionType: 'a' }], [{ conditionType: 'b' }], [{ conditionType: 'b' }]],
  ])('%s of a pod', (field, before, patch, expected) => {
    expect(inPod({ [field]: before }, { [field]: patch })).toEqual({ [field]: expected });
  });

  it('merges owners by uid, conditions by type, finalizers as a set', () => {
    expect(
      merge(
        { metadata: { ownerReferences: [{ uid: 'a', name: 'x' }], finalizers: ['f'] } },
        { metadata: { ownerReferences: [{ uid: 'a', controller: true }], finalizers: ['g', 'f'] } },
      ),
    ).toEqual({
      metadata: { ownerReferences: [{ uid: 'a', name: 'x', controller: true }], finalizers: ['g', 'f'] },
    });
    expect(
      merge({ status: { conditions: [{ type: 'A' }, { type: 'B' }] } }, { status: { conditions: [{ type: 'B', status: 'True' }] } }),
    ).toEqual({
      status: { conditions: [{ type: 'A' }, { type: 'B', status: 'True' }] },
    });
  });

  it('keeps elements that are on the server only in front of those they stood in front of', () => {
    const named = (...names: string[]) => ({ containers: names.map((name) => ({ name })) });
    expect(inPod(named('a', 'b', 'c'), named('c', 'b'))).toEqual(named('a', 'c', 'b'));
    expect(inPod(named('a', 'b', 'c'), named('d', 'a'))).toEqual(named('d', 'a', 'b', 'c'));
  });

  it('refuses an element without the key that the list is merged by', () => {
    expect(() => inPod({ containers: [{ name: 'a' }] }, { containers: [{ image: 'x' }] })).toThrow(PatchError);
    expect(() => inPod({ containers: [{ name: 'a' }] }, { containers: ['a'] })).toThrow(PatchError);
  });
});

describe('strategic merge: directives', () => {
  it('$patch: delete takes an element out of a list and empties a map', () => {
    expect(inPod({ containers: [{ name: 'a' }, { name: 'b' }] }, { containers: [{ name: 'a', $patch: 'delete' }] })).toEqual({
      containers: [{ name: 'b' }],
    });
    expect(inPod({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'delete' } })).toEqual({ nodeSelector: {} });
  });

  it('$patch: replace takes the place of a list or a map', () => {
    expect(inPod({ containers: [{ name: 'a', image: 'x' }] }, { containers: [{ $patch: 'replace' }, { name: 'b' }] })).toEqual({
      containers: [{ name: 'b' }],
    });
    expect(inPod({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'replace', b: '2' } })).toEqual({ nodeSelector: { b: '2' } });
  });

  it('$retainKeys drops what it does not list', () => {
    const before = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } };
    expect(merge(before, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } })).toEqual({
      spec: { strategy: { type: 'Recreate' } },
    });
    expect(() => merge(before, { spec: { strategy: { $retainKeys: ['type'], other: 1 } } })).toThrow(PatchError);
  });

  it('$deleteFromPrimitiveList and $setElementOrder, as kubectl edit sends them', () => {
    expect(merge({ metadata: { finalizers: ['a', 'b'] } }, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } })).toEqual({
      metadata: { finalizers: ['b'] },
    });
    const patch = { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [{ name: 'b', image: 'x' }] };
    expect(inPod({ containers: [{ name: 'a' }, { name: 'b' }] }, patch)).toEqual({
      containers: [{ name: 'b', image: 'x' }, { name: 'a' }],
    });
  });

  it('refuses an element order that the patch itself does not follow', () => {
    const patch = { '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }], containers: [{ name: 'b' }, { name: 'a' }] };
    expect(() => inPod({ containers: [{ name: 'a' }] }, patch)).toThrow(PatchError);
  });

  it('refuses a directive that it does not know instead of storing it', () => {
    expect(() => inPod({ nodeSelector: {} }, { nodeSelector: { $patch: 'frob' } })).toThrow(PatchError);
    expect(() => inPod({ containers: [{ name: 'a' }] }, { containers: [{ name: 'a', $patch: 'merge' }] })).toThrow(PatchError);
  });
});

describe('strategic merge: maps', () => {
  it('adds to maps and removes nulls; drops nulls in what is new', () => {
    expect(inPod({ nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { b: null, c: '3' }, affinity: { x: null, y: 1 } })).toEqual({
      nodeSelector: { a: '1', c: '3' },
      affinity: { y: 1 },
    });
  });

  it("replaces a PodDisruptionBudget's selector, the one map that is not merged", () => {
    const selector = (app: string) => ({ spec: { selector: { matchLabels: { [app]: 'x' } } } });
    expect(merge(selector('a'), selector('b'), 'PodDisruptionBudget')).toEqual(selector('b'));
    expect(merge(selector('a'), selector('b'), 'Deployment')).toEqual({ spec: { selector: { matchLabels: { a: 'x', b: 'x' } } } });
  });

  it('leaves the given document as it was', () => {
    const before = { spec: { containers: [{ name: 'a', env: [{ name: 'X' }] }] } };
    const copy = structuredClone(before);
    merge(before, { spec: { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }] }] } }, 'Pod');
    expect(before).toEqual(copy);
  });
});
