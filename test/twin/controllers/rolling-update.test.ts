import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../src/kubernetes/deployment.ts';
import type { ReplicaSet } from '../../../src/kubernetes/replica-set.ts';
import { maxSurge, maxUnavailable, newReplicasOf, proportionalSizes } from '../../../src/twin/controllers/rolling-update.ts';

const deployment = (replicas: number, surge: number | string = '25%', unavailable: number | string = '25%'): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: {
    replicas,
    selector: {},
    template: { spec: { containers: [] } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
  },
});

const replicaSet = (name: string, replicas: number, max?: number): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    name,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(max === undefined ? {} : { annotations: { 'deployment.kubernetes.io/max-replicas': String(max) } }),
  },
  spec: { replicas, selector: {}, template: { spec: { containers: [] } } },
});

describe('surge and unavailable', () => {
  it.each([
    [1, '25%', '25%', 1, 0],
    [4, '25%', '25%', 1, 1],
    [10, '25%', '25%', 3, 2],
    [10, 0, 0, 0, 1],
    [10, '0%', '0%', 0, 1],
    [2, 5, 5, 5, 2],
    [0, '25%', '25%', 0, 0],
  ])('of %d replicas with %s and %s are %d and %d', (replicas, surge, unavailable, wantedSurge, wantedUnavailable) => {
    expect([maxSurge(deployment(replicas, surge, unavailable)), maxUnavailable(deployment(replicas, surge, unavailable))]).toEqual([
      wantedSurge,
      wantedUnavailable,
    ]);
  });

  it('are 0 for Recreate', () => {
    const recreate: Deployment = { ...deployment(4), spec: { ...deployment(4).spec, strategy: { type: 'Recreate' } } };
    expect([maxSurge(recreate), maxUnavailable(recreate)]).toEqual([0, 0]);
    expect(newReplicasOf(recreate, [replicaSet('old', 4)], 0)).toBe(4);
  });
});

describe('the new ReplicaSet', () => {
  it('grows by the room that the old one leaves under the surge', () => {
    expect(newReplicasOf(deployment(4, 1, 0), [replicaSet('old', 4), replicaSet('new', 0)], 0)).toBe(1);
    expect(newReplicasOf(deployment(4, 1, 0), [replicaSet('old', 4), replicaSet('new', 1)], 1)).toBe(1);
    expect(newReplicasOf(deployment(4, 1, 0), [replicaSet('old', 1), replicaSet('new', 3)], 3)).toBe(4);
  });
});

describe('a Deployment that is scaled while it is updated', () => {
  it('gives each ReplicaSet its share', () => {
    const sizes = proportionalSizes(deployment(20, 2, 1), [replicaSet('old', 8, 12), replicaSet('new', 4, 12)]);
    expect(Object.fromEntries([...sizes].map(([{ metadata }, size]) => [metadata.name, size]))).toEqual({ old: 15, new: 7 });
  });

  it('never gives more, or less, than there is to give, and nothing below 0', () => {
    const size = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.array(size, { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 0, max: 5 }),
        (wanted, present, surge) => {
          const before = present.reduce((total, count) => total + count, 0);
          const sizes = [
            ...proportionalSizes(
              deployment(wanted, surge, 1),
              present.map((count, index) => replicaSet(`r${index}`, count, before)),
            ).values(),
          ];
          expect(sizes.every((count) => count >= 0)).toBe(true);
          expect(sizes.reduce((total, count) => total + count, 0)).toBe(wanted === 0 ? 0 : wanted + surge);
        },
      ),
    );
  });
});
