import { describe, expect, it } from 'vitest';
import { allocatableOf, isSchedulable, matchesNode, untoleratedTaints, type Node, type Taint } from '../../src/kubernetes/node.ts';
import type { NodeSelectorTerm, Toleration } from '../../src/kubernetes/pod.ts';

const node = (more: Partial<Node> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'gpu-1', labels: { zone: 'a', cards: '4' } },
  ...more,
});
const gpu: Taint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' };
const tolerates = (taint: Taint, ...tolerations: Toleration[]): boolean =>
  untoleratedTaints({ spec: { containers: [], tolerations } }, node({ spec: { taints: [taint] } })).length === 0;

describe('untoleratedTaints', () => {
  it.each<[string, Toleration, boolean]>([
    ['key, value and effect', { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }, true],
    ['another value', { key: 'nvidia.com/gpu', value: 'absent', effect: 'NoSchedule' }, false],
    ['no value, Equal by default', { key: 'nvidia.com/gpu' }, false],
    ['Exists, whatever the value', { key: 'nvidia.com/gpu', operator: 'Exists' }, true],
    ['Exists without a key: every taint', { operator: 'Exists' }, true],
    ['Exists for another effect', { operator: 'Exists', effect: 'NoExecute' }, false],
    ['another key', { key: 'x', operator: 'Exists' }, false],
  ])('%s', (_case, toleration, expected) => {
    expect(tolerates(gpu, toleration)).toBe(expected);
  });

  it('needs no toleration for PreferNoSchedule, but one for NoExecute', () => {
    expect(tolerates({ key: 'x', effect: 'PreferNoSchedule' })).toBe(true);
    expect(tolerates({ key: 'x', effect: 'NoExecute' })).toBe(false);
  });
});

describe('matchesNode', () => {
  const affine = (...nodeSelectorTerms: NodeSelectorTerm[]): boolean =>
    matchesNode(
      { spec: { containers: [], affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } } },
      node(),
    );

  it('asks for every pair of the nodeSelector', () => {
    expect(matchesNode({ spec: { containers: [], nodeSelector: { zone: 'a' } } }, node())).toBe(true);
    expect(matchesNode({ spec: { containers: [], nodeSelector: { zone: 'a', arch: 'arm' } } }, node())).toBe(false);
  });

  it('takes terms as alternatives, and the requirements of one together', () => {
    expect(
      affine(
        { matchExpressions: [{ key: 'zone', operator: 'In', values: ['b'] }] },
        { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] },
      ),
    ).toBe(true);
    expect(
      affine({
        matchExpressions: [
          { key: 'zone', operator: 'In', values: ['a'] },
          { key: 'arch', operator: 'Exists' },
        ],
      }),
    ).toBe(false);
  });

  it('lets an empty term match nothing', () => {
    expect(affine({})).toBe(false);
  });

  it.each([
    [{ key: 'cards', operator: 'Gt' as const, values: ['3'] }, true],
    [{ key: 'cards', operator: 'Lt' as const, values: ['4'] }, false],
    [{ key: 'zone', operator: 'Gt' as const, values: ['0'] }, false],
    [{ key: 'arch', operator: 'NotIn' as const, values: ['arm'] }, true],
    [{ key: 'arch', operator: 'DoesNotExist' as const }, true],
  ])('%j', (requirement, expected) => {
    expect(affine({ matchExpressions: [requirement] })).toBe(expected);
  });

  it('matches fields by the name of the node', () => {
    expect(affine({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gpu-1'] }] })).toBe(true);
    expect(affine({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gpu-2'] }] })).toBe(false);
  });
});

describe('the node itself', () => {
  it('offers what is allocatable, not what it has', () => {
    expect(allocatableOf(node({ status: { capacity: { 'nvidia.com/gpu': '4' }, allocatable: { 'nvidia.com/gpu': '3' } } }))).toEqual({
      'nvidia.com/gpu': 3,
    });
    expect(allocatableOf(node({ status: { capacity: { cpu: '4' } } }))).toEqual({ cpu: 4 });
  });

  it('is unschedulable when cordoned', () => {
    expect(isSchedulable(node())).toBe(true);
    expect(isSchedulable(node({ spec: { unschedulable: true } }))).toBe(false);
  });
});
