import { describe, expect, it } from 'vitest';
import type { Pod, PodSpec, PodStatus } from '../../../src/kubernetes/pod.ts';
import { usageOf } from '../../../src/twin/api/quota.ts';

const now = Date.UTC(2026, 0, 1);

const container = { name: 'c', resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '2Gi', 'nvidia.com/gpu': '1' } } };

const pod = (phase: NonNullable<PodStatus['phase']> = 'Running', deletionTimestamp?: string, spec: Partial<PodSpec> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
  spec: { containers: [container], ...spec },
  status: { phase },
});

describe('what quotas count', () => {
  it('is requests and limits, by all the names that a quota may use', () => {
    expect(usageOf([pod(), pod('Pending')], now)).toEqual({
      pods: 2,
      'count/pods': 2,
      cpu: 1,
      memory: 2 * 2 ** 30,
      'requests.cpu': 1,
      'requests.memory': 2 * 2 ** 30,
      'requests.nvidia.com/gpu': 2,
      'limits.memory': 4 * 2 ** 30,
      'limits.nvidia.com/gpu': 2,
    });
  });

  it('leaves out pods that have ended', () => {
    expect(usageOf([pod('Succeeded'), pod('Failed')], now)).toEqual({});
  });

  it('holds a Terminating pod to the end of its grace, and no longer', () => {
    expect(usageOf([pod('Running', '2026-01-01T00:00:10Z')], now)).toMatchObject({ pods: 1 });
    expect(usageOf([pod('Running', '2025-12-31T23:59:50Z')], now)).toEqual({});
  });
});
