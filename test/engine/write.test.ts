import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import { ApiError, ConnectionError, type ApiRequest } from '../../src/cluster/api-error.ts';
import { fieldManager, type Cluster } from '../../src/cluster/cluster.ts';
import { write } from '../../src/engine/write.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import type { Mutation } from '../../src/steps/step-kind.ts';
import { createStore } from '../../src/twin/api/memory-store.ts';
import { createTwinCluster } from '../../src/twin/twin-cluster.ts';

const target = { resource: resources.deployments, namespace: 'default', name: 'clef-serve' };
const request: ApiRequest = { verb: 'patch', resource: 'deployments.apps', namespace: 'default', name: 'clef-serve' };

/** What goes wrong with one PATCH on its way: before the server has it, or after it has taken effect. */
type Fault = { readonly when: 'before' | 'after'; readonly error: Error };

const lost = new ConnectionError(request, 'connection reset');
const status = (code: number, reason: string): ApiError => new ApiError(request, { code, reason, message: reason });

/** A real (twin) API in front of which the given faults happen, one a PATCH; further PATCHes go through. */
const world = async (...faults: readonly Fault[]) => {
  const clock = new VirtualClock(0);
  const cluster = createTwinCluster({ store: createStore(clock), identity: { kind: 'twin', name: 'test', server: 'twin' } });
  const labels = { app: 'clef-serve' };
  const created = await cluster.create(
    resources.deployments,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: target.name, namespace: target.namespace },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'registry.example/a:1' }] } },
      },
    },
    { fieldManager },
  );
  let patches = 0;
  const unreliable: Cluster = {
    ...bound(cluster),
    async patch(...call) {
      const fault = faults[patches++];
      if (fault?.when === 'before') throw fault.error;
      const answer = await cluster.patch(...call);
      if (fault?.when === 'after') throw fault.error;
      return answer;
    },
  };
  const toZero: Mutation = {
    target,
    patch: [
      { op: 'test', path: '/metadata/uid', value: created.metadata.uid },
      { op: 'test', path: '/spec/replicas', value: 1 },
      { op: 'replace', path: '/spec/replicas', value: 0 },
    ],
  };
  return {
    cluster,
    clock,
    unreliable,
    toZero,
    patches: () => patches,
    generation: async () => (await cluster.get(target))?.metadata.generation,
  };
};

const bound = (cluster: Cluster): Cluster => ({
  identity: cluster.identity,
  get: (...call) => cluster.get(...call),
  list: (...call) => cluster.list(...call),
  watch: (...call) => cluster.watch(...call),
  create: (...call) => cluster.create(...call),
  replace: (...call) => cluster.replace(...call),
  patch: (...call) => cluster.patch(...call),
  delete: (...call) => cluster.delete(...call),
  discover: (...call) => cluster.discover(...call),
  close: () => cluster.close(),
});

describe('write', () => {
  it('takes a lost response for what it is: reads, and does not write twice', async () => {
    const { unreliable, clock, toZero, patches, generation } = await world({ when: 'after', error: lost });
    expect((await write(unreliable, clock, toZero)).kind).toBe('written');
    expect([patches(), await generation()]).toEqual([1, 2]);
  });

  it.each([
    ['a lost request', lost],
    ['429', status(429, 'TooManyRequests')],
    ['500', status(500, 'InternalError')],
    ['503', status(503, 'ServiceUnavailable')],
  ])('sends again after %s, once', async (_, error) => {
    const { unreliable, clock, toZero, patches, generation } = await world({ when: 'before', error });
    expect((await write(unreliable, clock, toZero)).kind).toBe('written');
    expect([patches(), await generation()]).toEqual([2, 2]);
  });

  it('takes effect once also when the server answers 503 after it has stored it', async () => {
    const { unreliable, clock, toZero, generation } = await world({ when: 'after', error: status(503, 'ServiceUnavailable') });
    expect((await write(unreliable, clock, toZero)).kind).toBe('written');
    expect(await generation()).toBe(2);
  });

  it('gives up after a bounded number of tries, with the last error', async () => {
    const { unreliable, clock, toZero, patches } = await world(
      ...Array.from({ length: 9 }, () => ({ when: 'before', error: lost }) as const),
    );
    expect(await write(unreliable, clock, toZero)).toEqual({ kind: 'refused', error: lost });
    expect(patches()).toBe(4);
  });

  it("tells somebody else's same write from its own", async () => {
    const { cluster, clock, toZero, generation } = await world();
    await cluster.patch(target, { type: 'merge', body: { spec: { replicas: 0 } } }, { fieldManager: 'somebody' });
    expect((await write(cluster, clock, toZero)).kind).toBe('writtenByOthers');
    expect(await generation()).toBe(2);
  });

  it('takes what it finds written for its own when an answer of its own was lost', async () => {
    const { unreliable, clock, toZero } = await world({ when: 'after', error: status(500, 'InternalError') });
    expect((await write(unreliable, clock, toZero)).kind).toBe('written');
  });

  it('writes nothing over somebody else', async () => {
    const { cluster, clock, toZero, generation } = await world();
    await cluster.patch(target, { type: 'merge', body: { spec: { replicas: 3 } } }, { fieldManager: 'somebody' });
    expect(await write(cluster, clock, toZero)).toMatchObject({ kind: 'changed', object: { spec: { replicas: 3 } } });
    expect(await generation()).toBe(2);
  });

  it('follows a version that moved for another reason', async () => {
    const { cluster, clock, toZero } = await world();
    const version = (await cluster.get(target))?.metadata.resourceVersion;
    await cluster.patch(target, { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } }, { fieldManager: 'somebody' });
    const insisting = { ...toZero, patch: [{ op: 'test' as const, path: '/metadata/resourceVersion', value: version }, ...toZero.patch] };
    expect((await write(cluster, clock, insisting)).kind).toBe('written');
  });

  it('does not try again what the server refuses for good', async () => {
    const { unreliable, clock, toZero, patches } = await world({ when: 'before', error: status(403, 'Forbidden') });
    expect((await write(unreliable, clock, toZero)).kind).toBe('refused');
    expect(patches()).toBe(1);
  });

  it('tells a validation error from a failed test: both are 422', async () => {
    const { cluster, clock, toZero } = await world();
    const impossible: Mutation = {
      ...toZero,
      patch: [
        { op: 'test', path: '/spec/replicas', value: 1 },
        { op: 'replace', path: '/spec/replicas', value: -1 },
      ],
    };
    const outcome = await write(cluster, clock, impossible);
    expect(outcome.kind).toBe('refused');
    expect(outcome.kind === 'refused' ? outcome.error.message : '').toContain('replicas');
  });

  it('says that an object is gone', async () => {
    const { cluster, clock, toZero } = await world({ when: 'before', error: lost });
    await cluster.delete(target);
    const outcome = await write({ ...bound(cluster), patch: () => Promise.reject(lost) }, clock, toZero);
    expect(outcome).toEqual({ kind: 'changed', object: undefined });
  });

  it('says that nobody knows, when not even reading is answered', async () => {
    const { cluster, clock, toZero } = await world();
    const deaf: Cluster = { ...bound(cluster), patch: () => Promise.reject(lost), get: () => Promise.reject(lost) };
    expect(await write(deaf, clock, toZero)).toEqual({ kind: 'unknown', error: lost });
  });

  it('notices that something else was stored than was sent', async () => {
    const { cluster, clock, toZero } = await world();
    const mutating: Cluster = {
      ...bound(cluster),
      patch: (reference, _, options) => cluster.patch(reference, { type: 'merge', body: { spec: { replicas: 2 } } }, options),
    };
    expect((await write(mutating, clock, toZero)).kind).toBe('altered');
  });
});
