import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { waitReady } from '../../src/steps/wait-ready.ts';
import { observe } from '../builders/cluster-state.ts';
import {
  asking,
  at,
  barePod,
  deployment,
  deploymentRef,
  noon,
  object,
  ownedBy,
  podOf,
  ref,
  replicaSetOf,
  terminating,
  unschedulable,
} from '../builders/objects.ts';

const input = { object: deploymentRef('clef-candle') };
const candle = deployment('clef-candle', { podSpec: asking({ 'nvidia.com/gpu': 1 }) });
const set = replicaSetOf(candle);
const readyPod = podOf(candle, 'n1');

const settled = (objects: readonly KubernetesObject[], wish: { replicas?: number; now?: number } = {}) => {
  const step = { ...input, ...(wish.replicas === undefined ? {} : { replicas: wish.replicas }) };
  const observed = observe(waitReady, step, objects, { now: wish.now ?? noon });
  return waitReady.settled(step, observed, observed);
};

const waiting = (reason: string, message: string, restartCount = 0) =>
  podOf(candle, 'n1', {
    status: {
      phase: 'Pending',
      containerStatuses: [{ name: 'server', ready: false, restartCount, state: { waiting: { reason, message } } }],
    },
  });

describe('waitReady: ready means a pod that could take traffic (kserve#4626, #1859)', () => {
  it('is satisfied by as many ready pods of the present template as are wanted', () => {
    expect(settled([candle, set, readyPod])).toEqual({ done: true, evidence: 'ready: clef-candle-n1' });
  });

  const available = { ...candle, status: { observedGeneration: 3, conditions: [{ type: 'Available', status: 'True' }] } };
  const templateChanged = {
    ...candle,
    spec: { ...candle.spec, template: { ...candle.spec.template, metadata: { labels: { app: 'clef-candle', version: '2' } } } },
  };
  const gated = {
    ...candle,
    spec: {
      ...candle.spec,
      template: {
        ...candle.spec.template,
        spec: { ...candle.spec.template.spec, readinessGates: [{ conditionType: 'example.com/warm' }] },
      },
    },
  };
  const patient = deployment('clef-candle', { spec: { minReadySeconds: 60 } });
  const justReady = podOf(patient, 'n1', {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(-20) }] },
  });

  it.each<[string, readonly KubernetesObject[]]>([
    ['"Available" says True with no pod', [available, set]],
    ['it is Available because 0 of 0 are', [{ ...available, spec: { ...candle.spec, replicas: 0 } }, set]],
    ['the controller has not seen the spec', [deployment('clef-candle', { observedGeneration: 2 }), set, readyPod]],
    ['the only pod is Terminating', [candle, set, podOf(candle, 'n1', { metadata: terminating(30) })]],
    ['the ready pod is of an older template', [templateChanged, set, readyPod]],
    ['a readiness gate is not met', [gated, replicaSetOf(gated), podOf(gated, 'n1')]],
    ['minReadySeconds have not passed', [patient, replicaSetOf(patient), justReady]],
    [
      'the ready pod is of somebody else with the same labels',
      [candle, set, barePod('clef-candle-n1', { metadata: { labels: { app: 'clef-candle' } } })],
    ],
  ])('is not satisfied when %s', (_, objects) => {
    expect(settled(objects)).toMatchObject({ done: false });
  });

  it('counts minReadySeconds on the given clock', () => {
    expect(settled([patient, replicaSetOf(patient), justReady], { now: noon + 40_000 })).toMatchObject({ done: true });
  });

  it('fails at once when somebody scales it down again while it waits', () => {
    expect(settled([deployment('clef-candle', { replicas: 0 }), set])).toMatchObject({
      done: false,
      troubles: [{ code: 'ScaledDown', graceMs: 0 }],
    });
    expect(settled([candle, set, readyPod], { replicas: 2 })).toMatchObject({ done: false, troubles: [{ code: 'ScaledDown' }] });
  });
});

describe('waitReady: says what a person waits for, and names causes that no ProgressDeadlineExceeded would (kubernetes#78678)', () => {
  it('names the stage of each pod', () => {
    expect(settled([candle, set, waiting('ContainerCreating', '')])).toMatchObject({
      missing: '0 of 1 pods ready; clef-candle-n1: pulling',
    });
  });

  it.each<[string, KubernetesObject, string, number]>([
    [
      'an image that does not exist, at once',
      waiting('ImagePullBackOff', 'Back-off pulling image: manifest unknown'),
      'ImagePullBackOff',
      0,
    ],
    ['a registry that says 429, after a minute', waiting('ImagePullBackOff', '429 Too Many Requests'), 'ImagePullBackOff', 60_000],
    [
      'a missing Secret, after a minute',
      waiting('CreateContainerConfigError', 'secret "token" not found'),
      'CreateContainerConfigError',
      60_000,
    ],
    ['a crash loop, at once from the third restart on', waiting('CrashLoopBackOff', 'back-off 40s', 3), 'CrashLoopBackOff', 0],
    [
      "no node, after a minute and with the scheduler's words",
      podOf(candle, 'n1', unschedulable('0/1 nodes are available: 1 Insufficient memory.')),
      'Unschedulable',
      60_000,
    ],
  ])('%s', (_, pod, code, graceMs) => {
    expect(settled([candle, set, pod])).toMatchObject({ done: false, troubles: [{ code, graceMs, object: 'pod/clef-candle-n1' }] });
  });

  it('a quota that refuses the pod, at once and with its words: the pod itself does not exist', () => {
    const message = 'pods "clef-candle-n1" is forbidden: exceeded quota: gpus';
    const refused = {
      ...set,
      status: { replicas: 0, conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }] },
    };
    expect(settled([candle, refused])).toMatchObject({ done: false, troubles: [{ code: 'FailedCreate', message, graceMs: 0 }] });
  });

  describe('a card that somebody else took', () => {
    const homeless = podOf(candle, 'n1', unschedulable('0/1 nodes are available: 1 Insufficient nvidia.com/gpu.'));
    const holder = (name: string, scheduledAt: number, devices: string) =>
      barePod(name, {
        metadata: { namespace: 'batch' },
        spec: asking({ [devices]: 1 }),
        status: { phase: 'Running', conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: at(scheduledAt) }] },
      });
    const taken = (taker: KubernetesObject) => settled([candle, set, homeless, taker]);

    it('is named, in whatever namespace the taker is', () => {
      expect(taken(holder('trainer', -2, 'nvidia.com/gpu'))).toMatchObject({
        troubles: [{ code: 'DeviceTaken', message: 'nvidia.com/gpu taken by batch/trainer on node worker-1' }, { code: 'Unschedulable' }],
      });
    });

    it.each([
      ['had its card long before', holder('coder', -86_400, 'nvidia.com/gpu')],
      ['asks for another device', holder('encoder', -2, 'example.com/vpu')],
    ])('is not blamed on a pod that %s', (_, other) => {
      expect(taken(other)).toMatchObject({ troubles: [{ code: 'Unschedulable' }] });
    });
  });
});

describe('waitReady: StatefulSets', () => {
  const stateful = object(resources.statefulSets, 'db', {
    metadata: { generation: 2 },
    spec: { replicas: 1, selector: { matchLabels: { app: 'db' } }, template: { spec: { containers: [] } } },
    status: { observedGeneration: 2, replicas: 1, updateRevision: 'db-2' },
  });
  const pod = (revision: string) =>
    barePod('db-0', { metadata: { ...ownedBy(stateful), labels: { 'controller-revision-hash': revision } } });
  const step = { object: ref(resources.statefulSets, 'db') };
  const result = (objects: readonly KubernetesObject[]) => {
    const observed = observe(waitReady, step, objects);
    return waitReady.settled(step, observed, observed);
  };

  it('are ready with as many ready pods of the present revision as are wanted', () => {
    expect(result([stateful, pod('db-2')])).toMatchObject({ done: true });
    expect(result([stateful, pod('db-1')])).toMatchObject({ done: false, missing: '0 of 1 pods ready' });
  });
});
