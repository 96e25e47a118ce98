import { afterEach, describe, expect, it } from 'vitest';
import { delay } from '../../../src/clock/clock.ts';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import { ApiError, ConnectionError } from '../../../src/cluster/api-error.ts';
import { fieldManager, type Cluster } from '../../../src/cluster/cluster.ts';
import { endpointsOf, type EndpointSlice } from '../../../src/kubernetes/endpoint-slice.ts';
import { isPodReady, type Pod } from '../../../src/kubernetes/pod.ts';
import type { ObjectReference } from '../../../src/kubernetes/reference.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { makerAnnotation, probeLabel } from '../../../src/network/probe/probe-pod-marks.ts';
import { sweepProbePods, withProbePods, type ProbePodOptions, type ProbePods } from '../../../src/network/probe/with-probe-pod.ts';
import { startGarbageCollector } from '../../../src/twin/api/garbage-collector.ts';
import { createStore } from '../../../src/twin/api/memory-store.ts';
import { startControllers } from '../../../src/twin/controllers/start-controllers.ts';
import { createTwinCluster } from '../../../src/twin/twin-cluster.ts';
import { node, server, service } from '../../twin/simulation.ts';

const namespace = 'llm-serving';
const client: ObjectReference = { resource: resources.deployments, namespace, name: 'memory' };

/** A Deployment `memory` with one running pod behind a Service of the same name, in virtual time. */
class World {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  readonly cluster: Cluster;
  readonly warnings: string[] = [];
  readonly abort = new AbortController();
  private made = 0;

  constructor() {
    const store = createStore(this.clock);
    const controllers = startControllers(store, { podTimes: { pullMs: 2_000, startMs: 1_000, terminateMs: 1_000 } });
    const collector = startGarbageCollector(store);
    const closed = (): void => {
      controllers.stop();
      collector.stop();
    };
    this.cluster = createTwinCluster({ store, identity: { kind: 'twin', name: 'test', server: 'twin' }, closed });
  }

  static async open(pods = '10'): Promise<World> {
    const world = new World();
    opened.push(world);
    const { cluster } = world;
    await cluster.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, { fieldManager });
    await cluster.create(resources.nodes, node('worker-1', { pods }), { fieldManager });
    await cluster.create(resources.deployments, server('memory'), { fieldManager });
    await cluster.create(resources.services, service('memory', { app: 'memory' }), { fieldManager });
    world.clock.fastForward(60_000);
    return world;
  }

  options(cluster = this.cluster): ProbePodOptions {
    return {
      cluster,
      clock: this.clock,
      clients: [client],
      wish: { image: 'tools:1', run: 'run-1', maker: 'this process', deadlineSeconds: 600 },
      randomName: () => `abc${++this.made}`,
      isGone: (maker) => maker === 'a dead process',
      warn: (message) => void this.warnings.push(message),
      signal: this.abort.signal,
    };
  }

  run<T>(use: (pods: ProbePods) => Promise<T>, cluster = this.cluster): Promise<T> {
    return withProbePods(this.options(cluster), use);
  }

  async probePods(): Promise<readonly Pod[]> {
    const { items } = await this.cluster.list({ resource: resources.pods, namespace, labelSelector: probeLabel });
    return items as readonly Pod[];
  }

  /** A process that is killed in the middle never comes to the end of `use`. */
  async killed(maker: string): Promise<void> {
    const running = Promise.withResolvers<void>();
    const options = this.options();
    void withProbePods({ ...options, wish: { ...options.wish, maker } }, () => {
      running.resolve();
      return new Promise(() => undefined);
    });
    await running.promise;
  }
}

const opened: World[] = [];
afterEach(async () => {
  for (const world of opened.splice(0)) await world.cluster.close();
});

/** A cluster whose network or admission does something to one method. */
const between = (cluster: Cluster, methods: Partial<Cluster>): Cluster =>
  new Proxy(cluster, {
    get: (target, name) =>
      Reflect.get(methods, name) ?? (Reflect.get(target, name) as () => unknown).bind?.(target) ?? Reflect.get(target, name),
  });

describe('with a probe pod', () => {
  it('the pod runs on the client’s node, is not ready, nobody’s backend, and gone afterwards', async () => {
    const world = await World.open();
    const [clientPod] = (await world.cluster.list({ resource: resources.pods, namespace })).items as readonly Pod[];
    const answer = await world.run(async (pods) => {
      const [pod, ...others] = await world.probePods();
      expect(others).toEqual([]);
      expect(pods(client)).toEqual({ namespace, pod: pod?.metadata.name, podUid: pod?.metadata.uid, container: 'probe' });
      expect(pod?.spec.nodeName).toBe(clientPod?.spec.nodeName);
      expect(pod?.status?.phase).toBe('Running');
      await delay(world.clock, 60_000);
      expect(isPodReady((await world.probePods())[0] ?? expect.fail('gone'))).toBe(false);
      const slices = (await world.cluster.list({ resource: resources.endpointSlices, namespace })).items as readonly EndpointSlice[];
      expect(endpointsOf(slices).serving.map(({ podName }) => podName)).toEqual([clientPod?.metadata.name]);
      expect(slices.flatMap(({ endpoints }) => endpoints ?? [])).toHaveLength(1);
      return 'used';
    });
    expect(answer).toBe('used');
    expect(await world.probePods()).toEqual([]);
    expect(world.warnings).toEqual([]);
  });

  it('the Deployment keeps its number of pods', async () => {
    const world = await World.open();
    await world.run(async () => {
      await delay(world.clock, 60_000);
      const { items } = await world.cluster.list({ resource: resources.pods, namespace });
      expect(items).toHaveLength(2);
      expect(await world.cluster.get(client)).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 1 } });
    });
  });

  it('the pod goes with its client', async () => {
    const world = await World.open();
    await world.run(async () => {
      await world.cluster.delete(client);
      await delay(world.clock, 60_000);
      expect(await world.probePods()).toEqual([]);
    });
    expect(world.warnings).toEqual([]);
  });

  it('what is thrown comes through, and the pod is gone', async () => {
    const world = await World.open();
    await expect(world.run(() => Promise.reject(new Error('in the middle')))).rejects.toThrow('in the middle');
    expect(await world.probePods()).toEqual([]);
  });

  it('an abort while it starts leaves nothing, and nothing is used', async () => {
    const world = await World.open();
    world.clock.after(1_000, () => world.abort.abort(new Error('interrupted')));
    await expect(world.run(() => Promise.reject(new Error('used')))).rejects.toThrow('interrupted');
    expect(await world.probePods()).toEqual([]);
  });

  it('a node without room ends the wait with the scheduler’s words', async () => {
    const world = await World.open('1');
    await expect(world.run(() => Promise.reject(new Error('used')))).rejects.toMatchObject({
      outcome: 'refused',
      code: 'ProbePodFailed',
      message: expect.stringMatching(/does not run after \d+ s: Unschedulable: .*Too many pods/),
    });
    expect(await world.probePods()).toEqual([]);
  });

  it('a refusal of admission is told in the server’s words, and nobody looks for a pod that there cannot be', async () => {
    const world = await World.open();
    let reads = 0;
    const refusing = between(world.cluster, {
      create: () =>
        Promise.reject(
          new ApiError({ verb: 'create', resource: 'pods' }, { code: 403, reason: 'Forbidden', message: 'violates PodSecurity' }),
        ),
      get: (reference) => {
        if (reference.resource.kind === 'Pod') reads++;
        return world.cluster.get(reference);
      },
    });
    await expect(world.run(() => Promise.reject(new Error('used')), refusing)).rejects.toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('violates PodSecurity'),
    });
    expect(reads).toBe(0);
  });

  it('a pod whose creation was never answered is found and removed', async () => {
    const world = await World.open();
    const cut = between(world.cluster, {
      create: async (resource, object, options) => {
        await world.cluster.create(resource, object, options);
        throw new ConnectionError({ verb: 'create', resource: 'pods' }, 'reset');
      },
    });
    await expect(world.run(() => Promise.reject(new Error('used')), cut)).rejects.toMatchObject({
      detail: expect.stringContaining('reset'),
    });
    expect(await world.probePods()).toEqual([]);
  });

  it('a pod whose creation arrives only after the answer was given up is found, too', async () => {
    const world = await World.open();
    const late = between(world.cluster, {
      create: async (resource, object, options) => {
        world.clock.after(3_000, () => void world.cluster.create(resource, object, options));
        throw new ConnectionError({ verb: 'create', resource: 'pods' }, 'timed out');
      },
    });
    await expect(world.run(() => Promise.reject(new Error('used')), late)).rejects.toMatchObject({
      detail: expect.stringContaining('timed out'),
    });
    await delay(world.clock, 60_000);
    expect(await world.probePods()).toEqual([]);
  });

  it('a server that is away for a moment when it is to be removed is asked again', async () => {
    const world = await World.open();
    let failures = 2;
    const flaky = between(world.cluster, {
      delete: (reference, options) =>
        failures-- > 0
          ? Promise.reject(new ConnectionError({ verb: 'delete', resource: 'pods' }, 'refused'))
          : world.cluster.delete(reference, options),
    });
    await world.run(async () => undefined, flaky);
    expect(await world.probePods()).toEqual([]);
    expect(world.warnings).toEqual([]);
  });

  it('one that cannot be removed is named, with the command that removes it', async () => {
    const world = await World.open();
    const forbidding = between(world.cluster, {
      delete: () =>
        Promise.reject(new ApiError({ verb: 'delete', resource: 'pods' }, { code: 403, reason: 'Forbidden', message: 'no more' })),
    });
    await world.run(async () => undefined, forbidding);
    expect(world.warnings).toEqual([
      'probe pod pod/poimen-probe-abc1x.llm-serving could not be removed (it ends by itself): delete pods: no more; kubectl delete pod -n llm-serving poimen-probe-abc1x',
    ]);
  });

  it.each([
    [
      'labels that put it behind a Service that publishes what is not ready',
      (pod: Pod) => ({ ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, app: 'other' } } }),
      'service/other would send it connections',
    ],
    ['the node’s network', (pod: Pod) => ({ ...pod, spec: { ...pod.spec, hostNetwork: true } }), "its node's network"],
  ])('a webhook that gives it %s is found out before it is used', async (_, alter, reason) => {
    const world = await World.open();
    await world.cluster.create(resources.services, service('other', { app: 'other' }, { publishNotReadyAddresses: true }), {
      fieldManager,
    });
    const webhook = between(world.cluster, {
      create: (resource, object, options) => world.cluster.create(resource, alter(object as Pod), options),
    });
    await expect(world.run(() => Promise.reject(new Error('used')), webhook)).rejects.toThrow(reason);
    expect(await world.probePods()).toEqual([]);
  });
});

describe('leftovers', () => {
  it('of a process that is known to be dead are removed at the next start, 20 times over', async () => {
    const world = await World.open();
    for (let kill = 0; kill < 20; kill++) {
      await world.killed('a dead process');
      expect(await world.probePods()).toHaveLength(1);
    }
    await world.run(async () =>
      expect((await world.probePods()).map(({ metadata }) => metadata.annotations?.[makerAnnotation])).toEqual(['this process']),
    );
    expect(await world.probePods()).toEqual([]);
  });

  it('of another machine are left alone while their time lasts', async () => {
    const world = await World.open();
    await world.killed('another machine');
    const sweep = () => sweepProbePods({ cluster: world.cluster, clock: world.clock, namespace, isGone: () => false, warn: expect.fail });
    await delay(world.clock, 600_000);
    expect(await sweep()).toEqual([]);
    await delay(world.clock, 61_000);
    expect(await sweep()).toEqual(['poimen-probe-abc1x']);
    expect(await world.probePods()).toEqual([]);
  });

  it('a pod that has the same name meanwhile is not touched', async () => {
    const world = await World.open();
    await world.killed('a dead process');
    const [left] = await world.probePods();
    const replaced = between(world.cluster, {
      delete: async (reference, options) => {
        await world.cluster.delete(reference, { gracePeriodSeconds: 0 });
        await world.cluster.create(
          resources.pods,
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: left?.metadata.name ?? '', namespace }, spec: left?.spec },
          { fieldManager },
        );
        return world.cluster.delete(reference, options);
      },
    });
    await sweepProbePods({ cluster: replaced, clock: world.clock, namespace, isGone: () => true, warn: expect.fail });
    expect(await world.cluster.get({ resource: resources.pods, namespace, name: left?.metadata.name ?? '' })).toBeDefined();
  });
});
