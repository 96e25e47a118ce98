import { describe, expect, it } from 'vitest';
import type { ContainerStatus } from '../../src/kubernetes/pod.ts';
import { podTroubles } from '../../src/kubernetes/pod-trouble.ts';
import { barePod, noon, terminating, unschedulable } from '../builders/objects.ts';

const waiting = (reason: string, message?: string, more: Partial<ContainerStatus> = {}) =>
  barePod('p', {
    status: {
      phase: 'Pending',
      containerStatuses: [
        {
          name: 'server',
          ready: false,
          restartCount: 0,
          state: { waiting: { reason, ...(message === undefined ? {} : { message }) } },
          ...more,
        },
      ],
    },
  });

const graces = (pod: ReturnType<typeof barePod>) => podTroubles(pod, noon).map(({ code, graceMs }) => `${code} ${graceMs}`);

describe('podTroubles: images', () => {
  it.each([
    'rpc error: code = NotFound desc = failed to pull and unpack image "registry.example/clef:2": not found',
    'Back-off pulling image "registry.example/clef:2": ErrImagePull: manifest unknown',
    'failed to authorize: failed to fetch oauth token: unexpected status: 401 Unauthorized',
    'pull access denied, repository does not exist or may require authorization',
    'denied: requested access to the resource is denied',
  ])('fails at once when no later try can succeed: %s', (message) => {
    expect(graces(waiting('ErrImagePull', message))).toEqual(['ImagePullBackOff 0']);
    expect(graces(waiting('ImagePullBackOff', message))).toEqual(['ImagePullBackOff 0']);
  });

  it.each([
    'Back-off pulling image "registry.example/clef:2"',
    'unexpected status: 503 Service Unavailable',
    'toomanyrequests: You have reached your pull rate limit. access denied until later',
    'dial tcp: lookup registry.example: i/o timeout',
  ])('gives the registry a minute otherwise: %s', (message) => {
    expect(graces(waiting('ImagePullBackOff', message))).toEqual(['ImagePullBackOff 60000']);
  });

  it('keeps one code while the kubelet alternates, so that the grace does not begin again with every try', () => {
    expect(podTroubles(waiting('ErrImagePull', 'x'), noon)[0]?.code).toBe(podTroubles(waiting('ImagePullBackOff', 'x'), noon)[0]?.code);
  });

  it('fails at once on a name that is no image', () => {
    expect(graces(waiting('InvalidImageName', "couldn't parse image name"))).toEqual(['InvalidImageName 0']);
  });
});

describe('podTroubles: containers', () => {
  it('gives a crash loop a minute, and none from the fourth failure on; says how it ended', () => {
    const lastState = { terminated: { exitCode: 137, reason: 'OOMKilled' } };
    const message = 'back-off 40s restarting failed container';
    expect(graces(waiting('CrashLoopBackOff', message, { restartCount: 2, lastState }))).toEqual(['CrashLoopBackOff 60000']);
    expect(podTroubles(waiting('CrashLoopBackOff', message, { restartCount: 3, lastState }), noon)).toEqual([
      {
        code: 'CrashLoopBackOff',
        object: 'pod/p',
        message: 'container server: back-off 40s restarting failed container; last exit code 137 (OOMKilled), 3 restarts',
        graceMs: 0,
      },
    ]);
  });

  it('names a missing Secret or ConfigMap', () => {
    expect(podTroubles(waiting('CreateContainerConfigError', 'secret "token" not found'), noon)).toMatchObject([
      { code: 'CreateContainerConfigError', message: 'container server: secret "token" not found', graceMs: 60_000 },
    ]);
  });

  it('looks at init containers too', () => {
    const status = {
      phase: 'Pending' as const,
      initContainerStatuses: [
        { name: 'fetch', ready: false, restartCount: 0, state: { waiting: { reason: 'ErrImagePull', message: 'x: not found' } } },
      ],
    };
    expect(graces(barePod('p', { status }))).toEqual(['ImagePullBackOff 0']);
  });

  it.each(['ContainerCreating', 'PodInitializing'])('takes %s for normal', (reason) => {
    expect(graces(waiting(reason))).toEqual([]);
  });
});

describe('podTroubles: scheduling and going', () => {
  it("carries the scheduler's words", () => {
    expect(podTroubles(barePod('p', unschedulable('0/1 nodes are available: 1 Insufficient nvidia.com/gpu.')), noon)).toEqual([
      { code: 'Unschedulable', object: 'pod/p', message: '0/1 nodes are available: 1 Insufficient nvidia.com/gpu.', graceMs: 60_000 },
    ]);
  });

  it('has no trouble with a pod that is terminating within its grace period', () => {
    expect(podTroubles(barePod('p', { metadata: terminating(25) }), noon)).toEqual([]);
  });

  it('names a pod that stays on after its grace period, and who may hold it', () => {
    expect(podTroubles(barePod('p', { metadata: terminating(-1) }), noon)).toMatchObject([
      { code: 'StuckTerminating', message: 'not removed by node worker-1 although its grace period has passed' },
    ]);
    expect(podTroubles(barePod('p', { metadata: { ...terminating(-1), finalizers: ['example.com/hold'] } }), noon)).toMatchObject([
      { message: 'held by finalizers example.com/hold' },
    ]);
  });

  it('ignores terminal pods: they hold nothing and serve nothing (kubernetes#129259)', () => {
    const pulling = waiting('ErrImagePull', 'not found');
    expect(podTroubles({ ...pulling, status: { ...pulling.status, phase: 'Failed' } }, noon)).toEqual([]);
  });
});
