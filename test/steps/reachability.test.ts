import { describe, expect, it } from 'vitest';
import type { ProbeAnswer } from '../../src/cluster/prober.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { clusterPolicyResources } from '../../src/network/policy/policy-resources.ts';
import { reachability } from '../../src/steps/reachability.ts';
import { observe } from '../builders/cluster-state.ts';
import { deployment, deploymentRef, object, podOf, replicaSetOf, service, serviceRef, sliceOf } from '../builders/objects.ts';

const serve = deployment('clef-serve');
const candle = deployment('clef-candle');
const oldPod = podOf(serve, 'x1');
const newPod = podOf(candle, 'n1');
const front = service('clef-serve', { app: 'clef-candle' });
const memory = deployment('poimen-memory', { metadata: { namespace: 'poimen' } });
const world: readonly KubernetesObject[] = [
  ...[serve, candle, memory].flatMap((workload) => [workload, replicaSetOf(workload)]),
  podOf(memory, 'c1'),
  oldPod,
  newPod,
  front,
  object(resources.namespaces, 'llm-serving'),
  object(resources.namespaces, 'poimen'),
];
const nobody = sliceOf(front, []);
const onlyOld = sliceOf(front, [oldPod]);
const onlyNew = sliceOf(front, [newPod]);
const both = sliceOf(front, [oldPod, newPod]);
const draining = sliceOf(front, [oldPod], { ready: false, serving: true, terminating: true });

type Step = Parameters<typeof reachability.settled>[0];
type Expect = Step['expect'];
const step = (expectation: Expect): Step => ({
  service: serviceRef('clef-serve'),
  object: deploymentRef('clef-candle'),
  client: deploymentRef('poimen-memory', 'poimen'),
  expect: expectation,
  consecutive: 3,
});

const settled = (expectation: Expect, objects: readonly KubernetesObject[], wish: Parameters<typeof observe>[3] = {}) => {
  const observed = observe(reachability, step(expectation), objects, wish);
  return reachability.settled(step(expectation), observed, observed);
};

describe('reachability, judged by EndpointSlices', () => {
  it.each<[Expect, string, KubernetesObject, boolean]>([
    ['open', 'somebody is behind the Service', onlyOld, true],
    ['open', 'nobody is', nobody, false],
    ['window', 'nobody is behind the Service', nobody, true],
    ['window', 'the old pod is', onlyOld, false],
    ['window', 'the old pod terminates and serves on: the window is not open yet', draining, false],
    ['window', 'the new pods are, in a run that goes on half-way', onlyNew, true],
    ['newOnly', 'only the new pods are', onlyNew, true],
    ['newOnly', 'both sides are', both, false],
    ['newOnly', 'only the old one is', onlyOld, false],
    ['newOnly', 'nobody is', nobody, false],
    ['any', 'nobody is', nobody, true],
    ['asFound', 'somebody is behind the Service', onlyOld, true],
    ['asFound', 'nobody is, as in the window of an earlier attempt', nobody, true],
  ])('%s when %s', (expectation, _, slice, done) => {
    expect(settled(expectation, [...world, slice])).toMatchObject({ done });
  });

  it('says so when the Service is missing', () => {
    expect(settled('any', [])).toEqual({ done: true, evidence: 'service/clef-serve does not exist' });
    expect(settled('window', [])).toMatchObject({ done: false, missing: 'service/clef-serve does not exist' });
  });

  it('says who was found', () => {
    expect(settled('newOnly', [...world, both])).toMatchObject({ missing: 'behind service/clef-serve: clef-serve-x1, clef-candle-n1' });
  });
});

describe('reachability, judged by policies', () => {
  const denyAll = object(resources.networkPolicies, 'llm-serving-ingress', {
    spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [] },
  });

  it('fails at once, and names the half, when the policies deny the path: let out, dropped on arrival', () => {
    expect(settled('open', [...world, onlyOld, denyAll])).toMatchObject({
      done: false,
      troubles: [
        {
          code: 'PathDenied',
          graceMs: 0,
          message: expect.stringMatching(/^ingress of the server: llm-serving\/llm-serving-ingress isolates/),
        },
      ],
    });
  });

  it.each(clusterPolicyResources)('counts the cluster-wide kinds that are served: $kind $version', (resource) => {
    const from = [{ namespaces: {} }];
    const denying = object(resource, 'deny-all', {
      spec: { tier: 'Admin', priority: 1, subject: from[0], ingress: [{ action: 'Deny', from }] },
    });
    expect(settled('open', [...world, onlyOld, denying])).toMatchObject({
      troubles: [{ code: 'PathDenied', message: 'ingress of the server: deny-all denies it (ingress rule 0)' }],
    });
    expect(settled('open', [...world, onlyOld, denying], { unavailable: { [resource.kind]: 'forbidden' } })).toMatchObject({ done: true });
  });

  it('judges a pod that the new workload would make while nobody is behind the Service', () => {
    expect(settled('window', [...world, nobody, denyAll])).toMatchObject({ done: false });
    const forOldOnly = object(resources.networkPolicies, 'old', {
      spec: { podSelector: { matchLabels: { app: 'clef-serve' } }, policyTypes: ['Ingress'], ingress: [] },
    });
    expect(settled('window', [...world, nobody, forOldOnly])).toMatchObject({ done: true });
  });

  it('is denied when one pod of the client is, whatever the others may', () => {
    const forOne = object(resources.networkPolicies, 'one', {
      metadata: { namespace: 'poimen' },
      spec: { podSelector: { matchLabels: { canary: 'yes' } }, policyTypes: ['Egress'], egress: [] },
    });
    const canary = podOf(memory, 'c2', { metadata: { labels: { app: 'poimen-memory', canary: 'yes' } } });
    expect(settled('open', [...world, onlyOld, forOne])).toMatchObject({ done: true });
    expect(settled('open', [...world, canary, onlyOld, forOne])).toMatchObject({
      done: false,
      missing: expect.stringMatching(/^the policies deny it: egress of the client: poimen\/one/),
    });
  });

  it('judges the pods that are behind the Service, not the new ones, while there are any', () => {
    const forNewOnly = object(resources.networkPolicies, 'new', {
      spec: { podSelector: { matchLabels: { app: 'clef-candle' } }, policyTypes: ['Ingress'], ingress: [] },
    });
    expect(settled('open', [...world, onlyOld, forNewOnly])).toMatchObject({ done: true });
    expect(settled('open', [...world, onlyNew, forNewOnly])).toMatchObject({ done: false });
  });

  it('leaves them out where they may not be read', () => {
    expect(settled('open', [...world, onlyOld, denyAll], { unavailable: { NetworkPolicy: 'forbidden' } })).toMatchObject({ done: true });
  });

  it('leaves them out without a client', () => {
    const blind = { ...step('open'), client: undefined };
    const observed = observe(reachability, blind, [...world, onlyOld, denyAll]);
    expect(reachability.settled(blind, observed, observed)).toMatchObject({ done: true });
    expect(reachability.probe?.(blind, observed)).toBeUndefined();
  });
});

describe('reachability, asked on the wire', () => {
  const judge = (expectation: Expect, slice: KubernetesObject, answer: ProbeAnswer, more: Partial<Step> = {}) => {
    const input = { ...step(expectation), ...more };
    return reachability.probe?.(input, observe(reachability, input, [...world, slice]))?.judge([answer]);
  };
  const by = (podUid?: string, status?: number): ProbeAnswer => ({
    kind: 'answered',
    latencyMs: 1,
    ...(podUid === undefined ? {} : { podUid }),
    ...(status === undefined ? {} : { status }),
  });
  const refused: ProbeAnswer = { kind: 'refused', detail: 'connection refused' };
  const timeout: ProbeAnswer = { kind: 'timeout', detail: 'after 5 s' };

  it("dials the Service's port from the client's side, so many times in a row", () => {
    const observed = observe(reachability, step('newOnly'), [...world, onlyNew]);
    expect(reachability.probe?.(step('newOnly'), observed)).toMatchObject({
      consecutive: 3,
      questions: [
        { client: { name: 'poimen-memory' }, target: { kind: 'service', namespace: 'llm-serving', name: 'clef-serve', port: 80 } },
        { client: { name: 'poimen-memory' }, target: { kind: 'pod', uid: 'uid-of-clef-candle-n1' } },
      ],
    });
  });

  it('takes a pod that fails on its own address for a failure, and says which of the two it is', () => {
    const observed = observe(reachability, step('newOnly'), [...world, onlyNew]);
    const judgeBoth = (...round: readonly ProbeAnswer[]) => reachability.probe?.(step('newOnly'), observed)?.judge(round);
    expect(judgeBoth(by('uid-of-clef-candle-n1'), by('uid-of-clef-candle-n1'))).toEqual({ good: true });
    expect(judgeBoth(by('uid-of-clef-candle-n1'), refused)).toMatchObject({
      good: false,
      reason: expect.stringContaining('clef-candle-n1 on its own address: refused'),
    });
    expect(judgeBoth(refused, by('uid-of-clef-candle-n1'))).toMatchObject({
      good: false,
      reason: expect.stringMatching(/^service\/clef-serve: refused .*; clef-candle-n1 on its own address: connected$/),
    });
  });

  it('asks for a window', () => {
    const observed = observe(reachability, step('newOnly'), [...world, onlyNew]);
    expect(reachability.probe?.({ ...step('newOnly'), window: '1m30s' }, observed)).toMatchObject({ windowMs: 90_000 });
    expect(reachability.probe?.(step('newOnly'), observed)).toMatchObject({ windowMs: 0 });
  });

  it('asks for the path that is given', () => {
    const input = { ...step('open'), path: '/v1/systemone' };
    expect(reachability.probe?.(input, observe(reachability, input, [...world, onlyOld]))?.questions[0]).toHaveProperty(
      'path',
      '/v1/systemone',
    );
    expect(reachability.probe?.(step('open'), observe(reachability, step('open'), [...world, onlyOld]))?.questions[0]).not.toHaveProperty(
      'path',
    );
  });

  it.each<[Expect, string, KubernetesObject, ProbeAnswer, boolean]>([
    ['open', 'the old pod answers', onlyOld, by('uid-of-clef-serve-x1'), true],
    ['open', 'it is refused', onlyOld, refused, false],
    ['newOnly', 'a new pod answers', onlyNew, by('uid-of-clef-candle-n1'), true],
    ['newOnly', 'the old pod still answers, after the slices look right (kubernetes#81225)', onlyNew, by('uid-of-clef-serve-x1'), false],
    ['newOnly', 'somebody answers who is not identified, and only new pods are behind the Service', onlyNew, by(), true],
    ['newOnly', 'it is refused', onlyNew, refused, false],
    ['window', 'it is refused', nobody, refused, true],
    ['window', 'it is not answered: some proxies hang', nobody, timeout, true],
    ['window', 'the old pod answers', nobody, by('uid-of-clef-serve-x1'), false],
    ['window', 'a new pod answers, in a run that goes on half-way', onlyNew, by('uid-of-clef-candle-n1'), true],
    ['window', 'nobody could ask', nobody, { kind: 'unasked', detail: 'no client pod runs' }, false],
    ['any', 'it is refused', nobody, refused, true],
  ])('%s when %s', (expectation, _, slice, answer, good) => {
    expect(judge(expectation, slice, answer)?.good).toBe(good);
  });

  it('wants a good status where a path is asked for', () => {
    expect(judge('newOnly', onlyNew, by('uid-of-clef-candle-n1', 404), { path: '/v1/systemone' })).toEqual({
      good: false,
      reason: 'service/clef-serve: HTTP 404 to /v1/systemone by clef-candle-n1',
    });
  });

  it('says so when the backend is not identified', () => {
    expect(judge('open', onlyOld, by(undefined, 500), { path: '/' })).toMatchObject({
      reason: expect.stringContaining('backend not identified'),
    });
  });
});

describe('reachability: an answer that does not tell who gave it', () => {
  it('does not count for the new side while the old one is behind the Service, too', () => {
    const input = step('newOnly');
    const observed = observe(reachability, input, [...world, both]);
    expect(reachability.probe?.(input, observed)?.judge([{ kind: 'answered', latencyMs: 1 }])).toMatchObject({ good: false });
  });
});
