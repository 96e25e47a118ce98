import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/kubernetes/pod.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { chooseVantage } from '../../../src/network/probe/client-pod.ts';

const client = { resource: resources.deployments, namespace: 'poimen', name: 'memory' };

interface PodOptions {
  readonly phase?: 'Running' | 'Pending';
  readonly ready?: boolean;
  readonly terminating?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
}

const pod = (name: string, { phase = 'Running', ready = true, terminating = false, annotations = {} }: PodOptions = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'poimen',
    uid: `uid-of-${name}`,
    annotations,
    ...(terminating ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
  },
  spec: { containers: [{ name: 'server' }, { name: 'sidecar' }] },
  status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

describe('the pod of a client that asks', () => {
  it('is the first by name that runs, is ready and stays', () => {
    const pods = [pod('e'), pod('d'), pod('c', { terminating: true }), pod('b', { ready: false }), pod('a', { phase: 'Pending' })];
    expect(chooseVantage(client, pods)).toEqual({ namespace: 'poimen', pod: 'd', podUid: 'uid-of-d', container: 'server' });
  });

  it('is asked in the container that kubectl would take', () => {
    const annotated = (container: string) => pod('a', { annotations: { 'kubectl.kubernetes.io/default-container': container } });
    expect(chooseVantage(client, [annotated('sidecar')])).toMatchObject({ container: 'sidecar' });
    expect(chooseVantage(client, [annotated('gone')])).toMatchObject({ container: 'server' });
  });

  it('is none while none is ready, and each is told of', () => {
    const pods = [pod('b', { ready: false }), pod('c', { terminating: true }), pod('a', { phase: 'Pending' })];
    expect(chooseVantage(client, pods)).toEqual({
      kind: 'none',
      reason: 'deployment/memory has no pod that is ready (a: Pending, b: not ready, c: Terminating)',
    });
    expect(chooseVantage(client, [])).toEqual({ kind: 'none', reason: 'deployment/memory has no pod that is ready' });
  });
});
