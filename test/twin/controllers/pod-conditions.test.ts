import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/kubernetes/pod.ts';
import { withPodConditions } from '../../../src/twin/controllers/pod-conditions.ts';

const [earlier, now] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)];

const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', generation: 1 }, spec: { containers: [] } };
const waiting: Pod = {
  ...pod,
  status: withPodConditions(pod, [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no card' }], earlier),
};

describe("a pod's condition", () => {
  it('is dated when its status changes', () => {
    const [condition] = withPodConditions(waiting, [{ type: 'PodScheduled', status: 'True' }], now).conditions ?? [];
    expect(condition).toEqual({
      type: 'PodScheduled',
      status: 'True',
      observedGeneration: 1,
      lastProbeTime: null,
      lastTransitionTime: '2026-01-02T00:00:00Z',
    });
  });

  it('keeps its date when only its words change', () => {
    const [condition] =
      withPodConditions(waiting, [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no memory' }], now)
        .conditions ?? [];
    expect(condition).toMatchObject({ message: 'no memory', lastTransitionTime: '2026-01-01T00:00:00Z' });
  });

  it('is the same object when nothing changes', () => {
    expect(withPodConditions(waiting, [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no card' }], now)).toBe(
      waiting.status,
    );
  });
});
