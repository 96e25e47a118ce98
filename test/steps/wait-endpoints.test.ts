import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { waitEndpoints } from '../../src/steps/wait-endpoints.ts';
import { observe } from '../builders/cluster-state.ts';
import { barePod, deployment, deploymentRef, podOf, replicaSetOf, service, serviceRef, sliceOf, terminating } from '../builders/objects.ts';

const input = { service: serviceRef('clef-serve'), object: deploymentRef('clef-candle') };
const candle = deployment('clef-candle', { replicas: 2 });
const pods = [podOf(candle, 'n1'), podOf(candle, 'n2')];
const front = service('clef-serve', { app: 'clef-candle' });
const old = podOf(deployment('clef-serve'), 'x1');
const world: readonly KubernetesObject[] = [candle, replicaSetOf(candle), ...pods, front, old];

const settled = (objects: readonly KubernetesObject[]) => {
  const observed = observe(waitEndpoints, input, objects);
  return waitEndpoints.settled(input, observed, observed);
};

describe('waitEndpoints', () => {
  it('is done when the slices hold exactly the new ready pods', () => {
    expect(settled([...world, sliceOf(front, pods)])).toEqual({
      done: true,
      evidence: 'behind service/clef-serve: clef-candle-n1, clef-candle-n2, and nobody else',
    });
  });

  it('adds up the slices of the Service and leaves those of others alone', () => {
    const others = sliceOf(service('other', { app: 'x' }), [old]);
    expect(settled([...world, ...pods.map((pod) => sliceOf(front, [pod])), others])).toMatchObject({ done: true });
  });

  it.each<[string, readonly KubernetesObject[], string]>([
    ['there is no slice yet', [], 'not behind service/clef-serve yet for port 80: clef-candle-n1, clef-candle-n2'],
    ['one new pod is not in it yet', [sliceOf(front, pods.slice(0, 1))], 'not behind service/clef-serve yet for port 80: clef-candle-n2'],
    [
      'the old pod is in it still (argo-rollouts#2488, #2641)',
      [sliceOf(front, [...pods, old])],
      'still behind service/clef-serve: clef-serve-x1 of replicaset/clef-serve-7d9f',
    ],
    [
      'an old pod that terminates serves on',
      [sliceOf(front, pods), sliceOf(front, [old], { ready: false, serving: true, terminating: true })],
      'still behind service/clef-serve: clef-serve-x1 of replicaset/clef-serve-7d9f',
    ],
    [
      'an orphaned slice names a pod that is not there (kubernetes#103804)',
      [sliceOf(front, pods), sliceOf(front, [podOf(candle, 'lost')])],
      'still behind service/clef-serve: clef-candle-lost (which is not there any more)',
    ],
  ])('waits while %s', (_, slices, missing) => {
    expect(settled([...world, ...slices])).toMatchObject({ done: false, missing });
  });

  it('gives a stranger half a minute before the step fails: the controller follows the selector within a second', () => {
    expect(settled([...world, sliceOf(front, [...pods, old])])).toMatchObject({ troubles: [{ code: 'ForeignEndpoint', graceMs: 30_000 }] });
  });

  it('does not mind an old pod that terminates and serves nothing', () => {
    expect(
      settled([...world, sliceOf(front, pods), sliceOf(front, [old], { ready: false, serving: false, terminating: true })]),
    ).toMatchObject({ done: true });
  });

  it('goes by UID: a slice that names an earlier pod of the same name is not the new pod', () => {
    const earlier = podOf(candle, 'n1', { metadata: { uid: 'earlier' } });
    expect(settled([...world, sliceOf(front, [earlier]), sliceOf(front, pods.slice(1))])).toMatchObject({ done: false });
  });

  it('is not done with no pods and no endpoints: an empty set equals an empty set', () => {
    const parked = deployment('clef-candle', { replicas: 0 });
    expect(settled([parked, replicaSetOf(parked), front])).toMatchObject({ done: false, missing: 'deployment/clef-candle is scaled to 0' });
  });

  it('is not done while a wanted pod is not ready', () => {
    const unready = barePod('clef-candle-n2', { metadata: pods[1]?.metadata ?? {}, status: { phase: 'Running' } });
    expect(settled([candle, replicaSetOf(candle), front, ...pods.slice(0, 1), unready, sliceOf(front, pods.slice(0, 1))])).toMatchObject({
      done: false,
    });
  });

  describe('with several ports', () => {
    const two = service(
      'clef-serve',
      { app: 'clef-candle' },
      {
        ports: [
          { name: 'http', port: 80, targetPort: 8080 },
          { name: 'metrics', port: 9090, targetPort: 'metrics' },
        ],
      },
    );
    const slice = sliceOf(two, pods);

    it('is done when every port has all pods', () => {
      expect(settled([candle, replicaSetOf(candle), ...pods, two, slice])).toMatchObject({ done: true });
    });

    it('names the port that the pods do not have: it would be refused for ever', () => {
      const partial = { ...slice, ports: slice.ports?.filter(({ name }) => name === 'http') };
      expect(settled([candle, replicaSetOf(candle), ...pods, two, partial])).toMatchObject({
        done: false,
        missing: 'not behind service/clef-serve yet for port 9090: clef-candle-n1, clef-candle-n2',
        troubles: [{ code: 'TargetPortMissing', graceMs: 0 }, { code: 'TargetPortMissing' }],
      });
    });
  });

  it('is not mistaken by a Terminating pod of the new side itself', () => {
    const leaving = podOf(candle, 'n3', { metadata: terminating(30) });
    expect(
      settled([...world, leaving, sliceOf(front, pods), sliceOf(front, [leaving], { ready: false, serving: true, terminating: true })]),
    ).toMatchObject({ done: false });
  });
});
