import { describe, expect, it } from 'vitest';
import type { Condition } from '../../src/kubernetes/object.ts';
import { findNamedPort, isPodAvailable, isPodReady, podAddresses, type PodSpec } from '../../src/kubernetes/pod.ts';
import { podProgress } from '../../src/kubernetes/pod-progress.ts';
import { at, barePod, noon, terminating } from '../builders/objects.ts';

const condition = (type: string, status: Condition['status'], since = -60): Condition => ({ type, status, lastTransitionTime: at(since) });

describe('isPodReady', () => {
  it('asks for the Ready condition, not for the phase', () => {
    expect(isPodReady(barePod('p', { status: { phase: 'Running', conditions: [condition('Ready', 'False')] } }))).toBe(false);
    expect(isPodReady(barePod('p', { status: { phase: 'Running' } }))).toBe(false);
    expect(isPodReady(barePod('p', { status: { phase: 'Running', conditions: [condition('Ready', 'True')] } }))).toBe(true);
  });

  it('asks for every readiness gate', () => {
    const spec = { readinessGates: [{ conditionType: 'example.com/warm' }] };
    const conditions = [condition('Ready', 'True')];
    expect(isPodReady(barePod('p', { spec, status: { conditions } }))).toBe(false);
    expect(isPodReady(barePod('p', { spec, status: { conditions: [...conditions, condition('example.com/warm', 'Unknown')] } }))).toBe(
      false,
    );
    expect(isPodReady(barePod('p', { spec, status: { conditions: [...conditions, condition('example.com/warm', 'True')] } }))).toBe(true);
  });
});

describe('isPodAvailable', () => {
  it('waits for minReadySeconds since the pod became ready, to the second', () => {
    const pod = barePod('p', { status: { conditions: [condition('Ready', 'True', -30)] } });
    expect(isPodAvailable(pod, 0, noon)).toBe(true);
    expect(isPodAvailable(pod, 30, noon)).toBe(true);
    expect(isPodAvailable(pod, 31, noon)).toBe(false);
  });

  it('does not take an unknown time for long enough', () => {
    expect(isPodAvailable(barePod('p', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }), 10, noon)).toBe(false);
  });
});

describe('findNamedPort', () => {
  const spec: PodSpec = {
    initContainers: [
      { name: 'init', ports: [{ name: 'http', containerPort: 1 }] },
      { name: 'sidecar', restartPolicy: 'Always', ports: [{ name: 'metrics', containerPort: 9090 }] },
    ],
    containers: [
      { name: 'a', ports: [{ name: 'dns', containerPort: 53, protocol: 'UDP' }] },
      {
        name: 'b',
        ports: [
          { name: 'dns', containerPort: 5353 },
          { name: 'http', containerPort: 8080 },
        ],
      },
      { name: 'c', ports: [{ name: 'http', containerPort: 8081 }] },
    ],
  };

  it.each<[string, 'TCP' | 'UDP', number | undefined]>([
    ['http', 'TCP', 8080],
    ['http', 'UDP', undefined],
    ['dns', 'TCP', 5353],
    ['dns', 'UDP', 53],
    ['metrics', 'TCP', 9090],
    ['gone', 'TCP', undefined],
  ])('%s over %s is %s: by name and protocol, sidecars included, init containers not', (name, protocol, port) => {
    expect(findNamedPort(spec, name, protocol)).toBe(port);
  });
});

describe('podAddresses', () => {
  it('holds each address once, the primary one first', () => {
    expect(podAddresses(barePod('p', { status: { podIP: '10.0.0.7', podIPs: [{ ip: '10.0.0.7' }, { ip: 'fd00::7' }] } }))).toEqual([
      '10.0.0.7',
      'fd00::7',
    ]);
    expect(podAddresses(barePod('p', { status: {} }))).toEqual([]);
  });
});

describe('podProgress', () => {
  it.each([
    ['waiting for a node', { spec: { nodeName: '' }, status: { phase: 'Pending' as const } }],
    ['not started by its node yet', { status: { phase: 'Pending' as const } }],
    [
      'pulling',
      {
        status: {
          phase: 'Pending' as const,
          containerStatuses: [{ name: 'a', ready: false, restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }],
        },
      },
    ],
    [
      'setting up network and volumes',
      {
        status: {
          phase: 'Pending' as const,
          conditions: [condition('PodReadyToStartContainers', 'False')],
          containerStatuses: [{ name: 'a', ready: false, restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }],
        },
      },
    ],
    [
      'CrashLoopBackOff',
      {
        status: {
          phase: 'Running' as const,
          containerStatuses: [{ name: 'a', ready: false, restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
        },
      },
    ],
    ['running its init containers', { status: { phase: 'Pending' as const, conditions: [condition('Initialized', 'False')] } }],
    ['started, not ready yet', { status: { phase: 'Running' as const } }],
    [
      'waiting for readiness gate x',
      {
        spec: { readinessGates: [{ conditionType: 'x' }] },
        status: { phase: 'Running' as const, conditions: [condition('ContainersReady', 'True')] },
      },
    ],
    ['ready', {}],
    ['failed', { status: { phase: 'Failed' as const } }],
    ['terminating', { metadata: terminating(20) }],
  ])('says "%s"', (words, wish) => {
    expect(podProgress(barePod('p', wish))).toBe(words);
  });
});
