import { expect, it, onTestFinished } from 'vitest';
import { ApiError, ConnectionError } from '../../src/cluster/api-error.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { Observation, type ObservationRequest } from '../../src/engine/observation.ts';
import type { Node } from '../../src/kubernetes/node.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { allNodes, podsIn, podsOn } from '../../src/steps/selections.ts';
import type { ClusterState } from '../../src/steps/step-kind.ts';
import { TwinWorld } from './twin-world.ts';

const request = { verb: 'list', resource: 'pods' } as const;
const forbidden = new ApiError(request, { code: 403, reason: 'Forbidden', message: 'pods is forbidden' });

/** The world's cluster; `lists` holds the selectors of what is listed, and a list by a selector may be made to fail. */
const recording = ({ cluster }: TwinWorld, failures: Error[] = []): { readonly cluster: Cluster; readonly lists: string[] } => {
  const lists: string[] = [];
  const list: Cluster['list'] = (selection, options) => {
    lists.push(`${selection.resource.plural} ${selection.fieldSelector ?? selection.namespace ?? ''}`.trim());
    const failure = selection.fieldSelector === undefined ? undefined : failures.shift();
    return failure === undefined ? cluster.list(selection, options) : Promise.reject(failure);
  };
  return {
    lists,
    cluster: {
      identity: cluster.identity,
      get: (...args) => cluster.get(...args),
      list,
      watch: (...args) => cluster.watch(...args),
      create: (...args) => cluster.create(...args),
      replace: (...args) => cluster.replace(...args),
      patch: (...args) => cluster.patch(...args),
      delete: (...args) => cluster.delete(...args),
      discover: (...args) => cluster.discover(...args),
      close: () => cluster.close(),
    },
  };
};

const open = async (options: ObservationRequest): Promise<Observation> => {
  const observation = await Observation.open(options);
  onTestFinished(() => observation.close());
  return observation;
};

const podsOnKnownNodes = (state: ClusterState) =>
  state.has(allNodes) ? state.list<Node>(allNodes).map(({ metadata }) => podsOn(metadata.name)) : [allNodes];

it('lists what the objects themselves make necessary, and no more, and lists it again', async () => {
  const world = await TwinWorld.open();
  const { cluster, lists } = recording(world);
  const observation = await open({ cluster, clock: world.clock, watched: [], once: [allNodes], alsoOnce: podsOnKnownNodes });
  expect(lists).toEqual(['nodes', 'pods spec.nodeName=worker-1']);
  expect(observation.list(podsOn('worker-1'))).toHaveLength(2); // old and client

  await world.create(resources.nodes, 'worker-2', {});
  await observation.refresh();
  expect(lists.slice(2).toSorted()).toEqual(['nodes', 'pods spec.nodeName=worker-1', 'pods spec.nodeName=worker-2']);
});

it('has reduced objects in their list only: what is got is whole', async () => {
  const world = await TwinWorld.open();
  const reference = { resource: resources.nodes, name: 'worker-1' };
  const reduced = await open({ cluster: world.cluster, clock: world.clock, watched: [allNodes], once: [] });
  expect(reduced.list(allNodes)).toHaveLength(1);
  expect(reduced.get(reference)).toBeUndefined();
  const whole = await open({ cluster: world.cluster, clock: world.clock, watched: [{ resource: resources.nodes }], once: [] });
  expect(whole.get<Node>(reference)?.metadata.name).toBe('worker-1');
});

const watched = podsIn('shop');
const besides = podsOn('worker-1');
/** Wanted as soon as there is a pod `late`. */
const whenLate = (state: ClusterState) => (state.list<Node>(watched).some(({ metadata }) => metadata.name === 'late') ? [besides] : []);

const late = (world: TwinWorld) =>
  world.create(resources.pods, 'late', { spec: { containers: [{ name: 'main', image: 'registry.example/late:1' }] } });

const untilRead = async (observation: Observation): Promise<void> => {
  while (!observation.has(besides)) await new Promise(setImmediate);
};

it('watches besides what becomes necessary, and not before', async () => {
  const world = await TwinWorld.open();
  const { cluster, lists } = recording(world);
  const observation = await open({ cluster, clock: world.clock, watched: [watched], once: [], alsoWatched: whenLate });
  expect([lists, observation.has(besides)]).toEqual([['pods shop'], false]);
  await late(world);
  await untilRead(observation);
  expect(lists).toEqual(['pods shop', 'pods spec.nodeName=worker-1']);
  world.clock.fastForward(10_000);
  await new Promise(setImmediate);
  expect(observation.list<Node>(besides).map(({ metadata }) => metadata.name)).toContain('late');
});

it('takes what may not be watched besides for an answer', async () => {
  const world = await TwinWorld.open();
  const { cluster } = recording(world, [forbidden]);
  const observation = await open({ cluster, clock: world.clock, watched: [watched], once: [], alsoWatched: whenLate });
  await late(world);
  await untilRead(observation);
  expect(observation.unavailable(besides)).toEqual({ reason: 'forbidden', message: 'pods is forbidden' });
  expect(observation.list(besides)).toEqual([]);
});

const down = new ApiError(request, { code: 503, reason: 'ServiceUnavailable', message: 'service unavailable' });

it.each([
  ['an error of the server’s', down, 'service unavailable'],
  ['none, though the server is there', new ConnectionError(request, 'no answer within 30 s'), 'list pods: no answer within 30 s'],
])('takes no answer to what is listed once for one: nobody knows (%s)', async (_, failure, message) => {
  const world = await TwinWorld.open();
  const { cluster } = recording(world, [failure]);
  const observation = await open({ cluster, clock: world.clock, watched: [watched], once: [besides, allNodes] });
  expect(observation.unavailable(besides)).toEqual({ reason: 'unanswered', message });
  expect(observation.list(besides)).toEqual([]);
  expect(observation.unavailable(allNodes)).toBeUndefined();
  await observation.refresh();
  expect([observation.unavailable(besides), observation.list(besides).length]).toEqual([undefined, 2]);
});

it('does not go on without a server', async () => {
  const world = await TwinWorld.open();
  const lost = new ConnectionError(request, 'connection refused');
  const { cluster } = recording(world, [lost]);
  const gone: Cluster = { ...cluster, discover: () => Promise.reject(lost) };
  await expect(open({ cluster: gone, clock: world.clock, watched: [watched], once: [besides] })).rejects.toBe(lost);
});

it('takes what is forbidden for forbidden while nobody can say whether it is served', async () => {
  const world = await TwinWorld.open();
  const { cluster } = recording(world, [forbidden]);
  const unsaid: Cluster = { ...cluster, discover: () => Promise.reject(new ConnectionError(request, 'no answer within 30 s')) };
  const observation = await open({ cluster: unsaid, clock: world.clock, watched: [watched], once: [besides] });
  expect(observation.unavailable(besides)?.reason).toBe('forbidden');
});

it('asks again at the next change for what could not be had, and says so', async () => {
  const world = await TwinWorld.open();
  const troubles: string[] = [];
  const { cluster, lists } = recording(world, [new ConnectionError(request, 'connection reset')]);
  const observation = await open({
    cluster,
    clock: world.clock,
    watched: [watched],
    once: [],
    alsoWatched: whenLate,
    trouble: (message) => troubles.push(message),
  });
  await late(world);
  while (troubles.length === 0) await new Promise(setImmediate);
  world.clock.fastForward(10_000); // the pod starts: a change
  await untilRead(observation);
  expect(troubles).toEqual(['list pods: connection reset']);
  expect(lists.filter((list) => list === 'pods spec.nodeName=worker-1')).toHaveLength(2);
});
