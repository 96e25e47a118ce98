import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { selectionKey } from '../../src/kubernetes/reference.ts';
import { cutover } from '../../src/steps/cutover.ts';
import type { ExpandedStep } from '../../src/steps/expansion.ts';
import { observe } from '../builders/cluster-state.ts';
import { handOver, newSide, oldSide, withObjects, without } from '../builders/hand-over.ts';
import { deployment, deploymentRef, podOf, service, serviceRef, terminating } from '../builders/objects.ts';

const raw = {
  service: serviceRef('clef-serve'),
  from: deploymentRef('clef-serve'),
  to: deploymentRef('clef-candle'),
  client: deploymentRef('poimen-memory', 'poimen'),
  replicas: 1,
  answers: 3,
};

const steps = (reverse = false, input = raw): readonly ExpandedStep[] => cutover.expand('clef', input, { reverse });

/** What each step would do: `satisfied`, `change`, `wait` or the codes of its blockers. */
const plan = (world: readonly KubernetesObject[], reverse = false): Readonly<Record<string, string>> =>
  Object.fromEntries(
    steps(reverse).map(({ id, kind, input }) => {
      const decision = kind.plan(input, observe(kind, input, world));
      const waits = decision.kind === 'change' && decision.mutations.length === 0;
      return [
        id.replace('clef/', ''),
        decision.kind === 'blocked' ? decision.blockers.map(({ code }) => code).join(',') : waits ? 'wait' : decision.kind,
      ];
    }),
  );

const allSatisfied = Object.fromEntries(
  ['preflight', 'before', 'stop-old', 'old-gone', 'start-new', 'new-ready', 'new-answers', 'switch', 'endpoints', 'after'].map((id) => [
    id,
    'satisfied',
  ]),
);

describe('cutover: the sequence', () => {
  it('is the canonical one, in this order', () => {
    expect(steps().map(({ id, kind }) => `${id} ${kind.name}`)).toEqual([
      'clef/preflight preflight',
      'clef/before reachability',
      'clef/stop-old scale',
      'clef/old-gone waitGone',
      'clef/start-new scale',
      'clef/new-ready waitReady',
      'clef/new-answers answers',
      'clef/switch switchSelector',
      'clef/endpoints waitEndpoints',
      'clef/after reachability',
    ]);
  });

  it('reads as a procedure', () => {
    expect(
      cutover.expand('clef', { ...raw, path: '/v1/systemone' }, { reverse: false }).map(({ kind, input }) => kind.title(input)),
    ).toEqual([
      'check that service/clef-serve can be handed over from deployment/clef-serve to deployment/clef-candle',
      'see who answers behind service/clef-serve',
      'scale deployment/clef-serve to 0',
      'wait until the pods of deployment/clef-serve are gone',
      'scale deployment/clef-candle to 1',
      'wait until the pods of deployment/clef-candle are ready',
      'each pod of deployment/clef-candle answers on its own address at /v1/systemone',
      'switch service/clef-serve to deployment/clef-candle',
      'wait until the endpoints of service/clef-serve are exactly the pods of deployment/clef-candle',
      'service/clef-serve answers, by the pods of deployment/clef-candle only',
    ]);
  });

  it('writes three times and watches five things, so that a hand-over stays below the 14 requests of the script that it replaces', () => {
    const accesses = steps().map(({ kind, input }) => kind.access(input));
    expect(accesses.flatMap(({ writes }) => writes).map(({ resource, name }) => `${resource.kind}/${name}`)).toEqual([
      'Deployment/clef-serve',
      'Deployment/clef-candle',
      'Service/clef-serve',
    ]);
    expect([...new Set(accesses.flatMap(({ reads }) => reads).map(selectionKey))].toSorted()).toEqual([
      'deployments.apps/v1|llm-serving||',
      'endpointslices.discovery.k8s.io/v1|llm-serving|kubernetes.io/service-name=clef-serve|',
      'pods/v1|llm-serving||',
      'replicasets.apps/v1|llm-serving||',
      'services/v1|llm-serving||',
    ]);
  });

  it('looks for its client in lists that the preflight makes anyway', () => {
    const onces = steps().map(({ kind, input }) => (kind.access(input).once ?? []).map(selectionKey));
    expect(
      onces
        .slice(1)
        .flat()
        .filter((key) => !onces[0]?.includes(key)),
    ).toEqual([]);
  });

  it('gives every part its own deadline', () => {
    const given = cutover.expand('clef', { ...raw, deadlines: { gone: '90s', ready: '1h' } }, { reverse: false });
    expect(given.find(({ id }) => id === 'clef/old-gone')?.deadlineMs).toBe(90_000);
    expect(given.find(({ id }) => id === 'clef/new-ready')?.deadlineMs).toBe(3_600_000);
    expect(given.find(({ id }) => id === 'clef/endpoints')?.deadlineMs).toBe(120_000);
  });

  it('hands every kind an input that its own schema would take', () => {
    const named = (input: object): object =>
      JSON.parse(JSON.stringify(input, (_, value: unknown) => (isReference(value) ? value.name : value)));
    const refused = steps().filter(({ kind, input }) => !kind.input.safeParse(named(input)).success);
    expect(refused.map(({ id }) => id)).toEqual([]);
  });

  it('changes the sides on the way back, and their selectors with them', () => {
    const back = steps(true, { ...raw, selector: { side: 'new' }, reverseSelector: { side: 'old' } } as typeof raw);
    expect(back.find(({ id }) => id === 'clef/stop-old')?.input).toMatchObject({ object: { name: 'clef-candle' }, replicas: 0 });
    expect(back.find(({ id }) => id === 'clef/switch')?.input).toMatchObject({ to: { name: 'clef-serve' }, selector: { side: 'old' } });
    expect(cutover.watched?.(raw, { reverse: true })).toMatchObject({ to: { name: 'clef-serve' } });
  });
});

const isReference = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && 'resource' in value && 'name' in value;

describe('cutover: wherever it begins, each step is there already or does its own share', () => {
  const world = handOver();

  it('from the beginning', () => {
    expect(plan(world)).toEqual({
      ...allSatisfied,
      'stop-old': 'change',
      'old-gone': 'wait',
      'start-new': 'change',
      'new-ready': 'wait',
      'new-answers': 'wait',
      switch: 'change',
      endpoints: 'wait',
      after: 'wait',
    });
  });

  it('has nothing to do when everything is as wanted', () => {
    expect(plan(handOver({ oldReplicas: 0, newReplicas: 1, selects: 'new' }))).toEqual(allSatisfied);
  });

  it('has nothing to do on the way back when nothing was handed over', () => {
    expect(plan(world, true)).toEqual(allSatisfied);
  });

  it('in the window: the old side is at 0 already and nobody is behind the Service', () => {
    expect(plan(handOver({ oldReplicas: 0 }))).toEqual({
      ...allSatisfied,
      'start-new': 'change',
      'new-ready': 'wait',
      'new-answers': 'wait',
      switch: 'change',
      endpoints: 'wait',
      after: 'wait',
    });
  });

  it('while the old pod terminates, of an attempt that was killed', () => {
    const going = podOf(oldSide(0), 'x1', { metadata: terminating(30) });
    expect(plan(withObjects(handOver({ oldReplicas: 0 }), going))).toMatchObject({
      preflight: 'satisfied',
      'stop-old': 'satisfied',
      'old-gone': 'wait',
      'start-new': 'change',
    });
  });

  it('the new side is up, the selector has not moved', () => {
    expect(plan(handOver({ oldReplicas: 0, newReplicas: 1 }))).toEqual({
      ...allSatisfied,
      switch: 'change',
      endpoints: 'wait',
      after: 'wait',
    });
  });

  it('the selector has moved, but the new side is at 0 and the old one up: a silent outage', () => {
    expect(plan(handOver({ selects: 'new' }))).toMatchObject({
      preflight: 'satisfied',
      before: 'satisfied',
      'stop-old': 'change',
      'start-new': 'change',
      switch: 'satisfied',
      endpoints: 'wait',
    });
  });

  it('both sides are up on two cards', () => {
    expect(plan(handOver({ newReplicas: 1, devices: 2 }))).toMatchObject({
      preflight: 'satisfied',
      'stop-old': 'change',
      'start-new': 'satisfied',
      'new-ready': 'satisfied',
      switch: 'change',
    });
  });

  it('the new side is scaled up and its pod pending, because the old one has the card', () => {
    const pending = podOf(newSide(1), 'n1', { spec: { nodeName: '' }, status: { phase: 'Pending' } });
    expect(plan(withObjects(without(handOver({ newReplicas: 1 }), 'Pod', 'clef-candle-n1'), pending))).toMatchObject({
      preflight: 'satisfied',
      'stop-old': 'change',
      'start-new': 'satisfied',
      'new-ready': 'wait',
    });
  });

  it("a selector that is neither side's (merged, or moved by somebody else) is refused with the reason", () => {
    const merged = service('clef-serve', { app: 'clef-candle', tier: 'models' });
    expect(plan(withObjects(world, merged))).toMatchObject({ preflight: 'SelectorIsNeitherSide' });
  });

  it('a side that is missing is refused by every step that needs it', () => {
    expect(plan(without(world, 'Deployment', 'clef-candle'))).toMatchObject({
      preflight: 'ObjectMissing',
      'start-new': 'ObjectMissing',
      switch: 'ObjectMissing',
    });
  });

  it('a paused side is refused', () => {
    expect(plan(withObjects(world, deployment('clef-candle', { replicas: 0, spec: { paused: true } })))).toMatchObject({
      preflight: 'WorkloadPaused',
      'start-new': 'WorkloadPaused',
    });
  });
});
