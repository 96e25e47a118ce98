import { describe, expect, it } from 'vitest';
import { changesOf, isStale, judgeWrite, rebase } from '../../src/engine/judge-write.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import type { Mutation } from '../../src/steps/step-kind.ts';

const service = (selector: Record<string, string>, resourceVersion = '7', uid = 'u1'): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'clef-serve', namespace: 'llm-serving', uid, resourceVersion },
  spec: { selector },
});

const old = { app: 'clef-serve', tier: 'gpu' };
const wanted = { app: 'clef-candle' };

const moveSelector: Mutation = {
  target: { resource: resources.services, namespace: 'llm-serving', name: 'clef-serve' },
  patch: [
    { op: 'test', path: '/metadata/uid', value: 'u1' },
    { op: 'test', path: '/metadata/resourceVersion', value: '7' },
    { op: 'test', path: '/spec/selector', value: old },
    { op: 'replace', path: '/spec/selector', value: wanted },
  ],
};

describe('judgeWrite: what became of a write whose answer was lost', () => {
  it.each([
    ['it happened', service(wanted, '8'), 'applied'],
    ['it did not', service(old), 'intact'],
    ['it did not, and a label was written meanwhile', service(old, '8'), 'intact'],
    ['somebody else wrote another selector', service({ app: 'other' }, '8'), 'changed'],
    ['stale keys stayed beside the new one', service({ ...old, ...wanted }, '8'), 'changed'],
    ['the object is another one of the same name, even if it looks as wanted', service(wanted, '8', 'u2'), 'changed'],
  ])('%s', (_, object, verdict) => {
    expect(judgeWrite(moveSelector, object)).toBe(verdict);
  });

  it('takes a removed field for applied only when it is gone', () => {
    const removal: Mutation = { target: moveSelector.target, patch: [{ op: 'remove', path: '/spec/selector/tier' }] };
    expect(judgeWrite(removal, service({ app: 'a' }))).toBe('applied');
    expect(judgeWrite(removal, service(old))).toBe('intact');
  });
});

describe('rebase', () => {
  it('insists on the new version and on everything else as before', () => {
    const moved = rebase(moveSelector, service(old, '9'));
    expect(moved.patch[1]).toEqual({ op: 'test', path: '/metadata/resourceVersion', value: '9' });
    expect(moved.patch.toSpliced(1, 1)).toEqual(moveSelector.patch.toSpliced(1, 1));
    expect(isStale(moveSelector, service(old, '9'))).toBe(true);
    expect(isStale(moved, service(old, '9'))).toBe(false);
  });
});

describe('changesOf', () => {
  it('tells each written field as it was and as it will be, and leaves the tests out', () => {
    expect(changesOf(moveSelector, service(old))).toEqual([
      { object: 'service/clef-serve.llm-serving', path: '/spec/selector', before: old, after: wanted },
    ]);
  });
});
