import { describe, expect, it } from 'vitest';
import type { ProbeAnswer } from '../../src/cluster/prober.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { answers } from '../../src/steps/answers.ts';
import { observe } from '../builders/cluster-state.ts';
import { deployment, deploymentRef, podOf, replicaSetOf, service, serviceRef } from '../builders/objects.ts';

const candle = deployment('clef-candle');
const pod = podOf(candle, 'n1');
const front = service('clef-serve', { app: 'clef-serve' });
const world: readonly KubernetesObject[] = [candle, replicaSetOf(candle), pod, front];
const client = deploymentRef('poimen-memory', 'poimen');
const step = { object: deploymentRef('clef-candle'), client, service: serviceRef('clef-serve'), consecutive: 1 };

type Step = Parameters<typeof answers.settled>[0];
const settled = (input: Step, objects = world) => {
  const observed = observe(answers, input, objects);
  return answers.settled(input, observed, observed);
};
const probe = (input: Step, objects = world) => answers.probe?.(input, observe(answers, input, objects));
const answered = (status: number): ProbeAnswer => ({ kind: 'answered', status, latencyMs: 3 });

describe('answers', () => {
  it("asks the pod itself, on the port that the Service's port leads to, although the Service selects somebody else", () => {
    expect(settled(step)).toEqual({ done: true, evidence: 'clef-candle-n1 at 10.0.0.7:8080' });
    expect(probe({ ...step, path: '/v1/systemone' })?.questions).toEqual([
      {
        client,
        target: { kind: 'pod', namespace: 'llm-serving', name: 'clef-candle-n1', uid: 'uid-of-clef-candle-n1', ip: '10.0.0.7', port: 8080 },
        path: '/v1/systemone',
        timeoutMs: 5000,
      },
    ]);
  });

  it('resolves a named target port on the pod', () => {
    const named = service('clef-serve', { app: 'clef-serve' }, { ports: [{ port: 80, targetPort: 'http' }] });
    expect(settled(step, [candle, replicaSetOf(candle), pod, named])).toMatchObject({ evidence: 'clef-candle-n1 at 10.0.0.7:8080' });
  });

  it("without a Service takes the port as the pods' own", () => {
    const { service: _, ...bare } = step;
    expect(settled({ ...bare, port: 9000 })).toMatchObject({ evidence: 'clef-candle-n1 at 10.0.0.7:9000' });
    expect(settled(bare)).toMatchObject({ done: false });
  });

  it.each<[string, readonly KubernetesObject[], Step]>([
    ['no pod is ready', [candle, replicaSetOf(candle), front], step],
    [
      'the pod has no address yet',
      [candle, replicaSetOf(candle), front, podOf(candle, 'n1', { status: { ...pod.status, podIP: undefined } as never })],
      step,
    ],
    ['the Service is missing', [candle, replicaSetOf(candle), pod], step],
    ['the Service has no such port', world, { ...step, port: 81 }],
  ])('waits while %s', (_, objects, input) => {
    expect(settled(input, objects)).toMatchObject({ done: false });
  });

  it('is good only when every pod answers well', () => {
    const both = deployment('clef-candle', { replicas: 2 });
    const asked = probe({ ...step, path: '/' }, [both, replicaSetOf(both), podOf(both, 'n1'), podOf(both, 'n2'), front]);
    expect(asked?.judge([answered(200), answered(204)])).toEqual({ good: true });
    expect(asked?.judge([answered(200), answered(404)])).toEqual({ good: false, reason: 'clef-candle-n2: HTTP 404 to /' });
  });

  it.each<[string, Partial<Step>, ProbeAnswer, boolean]>([
    ['a connection is enough without a path', {}, { kind: 'answered', latencyMs: 1 }, true],
    ['a redirect counts', { path: '/' }, answered(302), true],
    ['a 404 does not: an older image lacks the route', { path: '/v1/systemone' }, answered(404), false],
    ['a 200 does not when 401 is what is asked for', { path: '/', status: [401] }, answered(200), false],
    ['an answer without a status is none where a path is asked for', { path: '/' }, { kind: 'answered', latencyMs: 1 }, false],
    ['a 401 does when it is', { path: '/', status: [401] }, answered(401), true],
    ['refused', {}, { kind: 'refused', detail: 'connection refused' }, false],
    ['no answer', {}, { kind: 'timeout', detail: 'after 5 s' }, false],
    ['nobody could ask', {}, { kind: 'unasked', detail: 'no client pod runs' }, false],
  ])('%s', (_, more, answer, good) => {
    expect(probe({ ...step, ...more })?.judge([answer]).good).toBe(good);
  });

  it('asks nobody without a client', () => {
    expect(probe({ ...step, client: undefined })).toBeUndefined();
  });
});
