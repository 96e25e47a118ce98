import { describe, expect, it } from 'vitest';
import type { Pod, PodStatus } from '../../../src/kubernetes/pod.ts';
import { rankForDeletion } from '../../../src/twin/controllers/pod-ranking.ts';

const now = Date.UTC(2026, 0, 1, 12);
const ago = (ms: number): string => new Date(now - ms).toISOString();
const hour = 3_600_000;

interface PodOptions {
  readonly node?: string;
  readonly phase?: NonNullable<PodStatus['phase']>;
  readonly readyForMs?: number;
  readonly ageMs?: number;
  readonly restarts?: number;
  readonly cost?: string;
}

const pod = (
  name: string,
  { node = 'worker-1', phase = 'Running', readyForMs, ageMs = hour, restarts = 0, cost }: PodOptions = {},
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    uid: name,
    creationTimestamp: ago(ageMs),
    ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
  },
  spec: { containers: [{ name: 'c' }], ...(node === '' ? {} : { nodeName: node }) },
  status: {
    phase,
    conditions: readyForMs === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: ago(readyForMs) }],
    containerStatuses: [{ name: 'c', ready: readyForMs !== undefined, restartCount: restarts }],
  },
});

const order = (pods: readonly Pod[], neighbours: readonly Pod[] = pods): readonly string[] =>
  rankForDeletion(pods, neighbours, now).map(({ metadata }) => metadata.name);

describe('the pod that a ReplicaSet gives up first', () => {
  const ready = { readyForMs: hour };

  it.each([
    ['is on no node', pod('b', { node: '', phase: 'Pending' }), pod('a', { phase: 'Pending' })],
    ['is pending', pod('b', { phase: 'Pending' }), pod('a')],
    ['is not ready', pod('b'), pod('a', ready)],
    ['costs least', pod('b', { ...ready, cost: '-5' }), pod('a', ready)],
    ['has not been ready for long', pod('b', { readyForMs: 60_000 }), pod('a', ready)],
    ['has restarted more often', pod('b', { ...ready, restarts: 2 }), pod('a', { ...ready, restarts: 1 })],
    ['is younger', pod('b', { ...ready, ageMs: 2 * hour }), pod('a', { ...ready, ageMs: 9 * hour })],
  ])('%s', (_, first, second) => {
    expect(order([second, first])).toEqual(['b', 'a']);
  });

  it('is on the node where most of its kind are', () => {
    const pods = [pod('a', { ...ready, node: 'worker-2' }), pod('b', ready), pod('c', ready)];
    expect(order(pods).at(-1)).toBe('a');
    expect(order([pods[0] ?? pod(''), pods[1] ?? pod('')], pods)).toEqual(['b', 'a']);
  });

  it('is named by its UID where times are of the same magnitude', () => {
    expect(order([pod('b', { readyForMs: 3_700_000 }), pod('a', { readyForMs: 3_800_000 })])).toEqual(['a', 'b']);
  });
});
