import { describe, expect, it, onTestFinished } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import { ApiError, ConnectionError } from '../../src/cluster/api-error.ts';
import type { Cluster, ListOptions, WatchEvent } from '../../src/cluster/cluster.ts';
import { ListWatch } from '../../src/cluster/list-watch.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { pod } from './objects.ts';
import { scriptedWatches, type ScriptedList, type ScriptedWatch } from './scripted-watches.ts';

const selection = { resource: resources.pods, namespace: 'llm-serving' };
const request = { verb: 'watch', resource: 'pods', namespace: 'llm-serving' } as const;
const failure = (code: number, message = 'it broke'): ApiError => new ApiError(request, { code, reason: '', message });
const reset = new ConnectionError(request, 'connection reset');
const added = (name: string, version: string): WatchEvent => ({ type: 'ADDED', object: pod(name, version) });
const deleted = (name: string, version: string): WatchEvent => ({ type: 'DELETED', object: pod(name, version) });

/** Starts on the script and waits until the last watch, which stays open, has been asked for. */
const follow = async (lists: readonly ScriptedList[], watches: readonly ScriptedWatch[], keep?: ListOptions['keep']) => {
  const script = scriptedWatches(lists, watches);
  const clock = new VirtualClock(0);
  const changes: string[] = [];
  const troubles: string[] = [];
  const listWatch = new ListWatch({
    cluster: script as unknown as Cluster, // a ListWatch only lists and watches
    clock,
    selection,
    ...(keep === undefined ? {} : { keep }),
    changed: (change) => changes.push('object' in change ? `${change.type} ${change.object.metadata.name}` : change.type),
    trouble: (message) => troubles.push(message),
  });
  onTestFinished(() => listWatch.stop());
  await listWatch.start();
  const asksInAll = lists.length + watches.length;
  while (script.asked.length < asksInAll) await new Promise(setImmediate);
  await new Promise(setImmediate);
  return { listWatch, clock, changes, troubles, asked: script.asked };
};

describe('ListWatch: start', () => {
  it('tells each object of the first list, then that the list is in', async () => {
    const { changes, listWatch } = await follow([{ items: [pod('a', '3')], resourceVersion: '5' }], [['open']]);
    expect(changes).toEqual(['ADDED a', 'LISTED']);
    expect([...listWatch.items.keys()]).toEqual(['llm-serving/a']);
  });

  it('keeps of each event what is asked for, and takes what is not to be kept for gone', async () => {
    const unwanted: WatchEvent = { type: 'MODIFIED', object: { ...pod('a', '8'), spec: { unwanted: true } } };
    const { changes, listWatch } = await follow(
      [{ items: [], resourceVersion: '5' }],
      [[added('a', '6'), added('b', '7'), unwanted, 'open']],
      ({ spec, ...object }) => (spec === undefined ? { ...object, status: 'reduced' } : undefined),
    );
    expect(changes).toEqual(['LISTED', 'ADDED a', 'ADDED b', 'DELETED a']);
    expect([...listWatch.items.values()]).toMatchObject([{ metadata: { name: 'b' }, status: 'reduced' }]);
  });

  it('fails as the first list fails', async () => {
    await expect(follow([failure(403)], [])).rejects.toMatchObject({ status: { code: 403 } });
  });

  it('does not start after its signal', async () => {
    const listWatch = new ListWatch({
      cluster: scriptedWatches([], []) as unknown as Cluster,
      clock: new VirtualClock(0),
      selection,
      changed: () => undefined,
    });
    await expect(listWatch.start(AbortSignal.abort(new Error('Ctrl-C')))).rejects.toThrow('Ctrl-C');
  });

  it('sets no timer while all is well, so that virtual time stands still', async () => {
    const { clock } = await follow([{ items: [], resourceVersion: '5' }], [[added('a', '6')], ['open']]);
    expect(clock.now()).toBe(0);
  });
});

describe('ListWatch: a watch that ends', () => {
  it('goes on from the last event or bookmark, without a list', async () => {
    const { asked } = await follow(
      [{ items: [], resourceVersion: '5' }],
      [[added('a', '6'), { type: 'BOOKMARK', resourceVersion: '9' }], ['open']],
    );
    expect(asked).toEqual(['list', 'watch 5', 'watch 9']);
  });

  it.each([
    ['500', failure(500)],
    ['429', failure(429)],
    ['504', failure(504)],
    ['a reset', reset],
    ['a lost permission', failure(403)],
  ])('goes on after %s, and says what happened', async (_, error) => {
    const { asked, changes, troubles } = await follow(
      [{ items: [], resourceVersion: '5' }],
      [[added('a', '6'), error], [error], [deleted('a', '7'), 'open']],
    );
    expect(asked).toEqual(['list', 'watch 5', 'watch 6', 'watch 6']);
    expect(changes).toEqual(['LISTED', 'ADDED a', 'DELETED a']);
    expect(troubles).toEqual([`${error.message}; trying again in 50 ms`, `${error.message}; trying again in 100 ms`]);
  });

  it('waits longer each time, 5 s at the most, and begins anew after an event', async () => {
    const failures = Array.from({ length: 10 }, () => [reset]);
    const { clock, troubles } = await follow([{ items: [], resourceVersion: '5' }], [...failures, [added('a', '6'), reset], ['open']]);
    const sumMs = 50 + 100 + 200 + 400 + 800 + 1600 + 3200 + 5000 + 5000 + 5000;
    expect(clock.now()).toBe(sumMs + 50);
    expect(troubles.at(-1)).toContain('trying again in 50 ms');
  });

  it('does not ask in a tight loop when the server closes each watch at once', async () => {
    const { clock } = await follow([{ items: [], resourceVersion: '5' }], [[], [], [], ['open']]);
    expect(clock.now()).toBe(50 + 100 + 200);
  });
});

describe('ListWatch: a version that is too old, or too new', () => {
  it('lists again after 410 and tells what went meanwhile', async () => {
    const { asked, changes } = await follow(
      [
        { items: [pod('a', '3'), pod('b', '4')], resourceVersion: '5' },
        { items: [pod('b', '4'), pod('c', '8')], resourceVersion: '9' },
      ],
      [[failure(410)], ['open']],
    );
    expect(asked).toEqual(['list', 'watch 5', 'list', 'watch 9']);
    expect(changes).toEqual(['ADDED a', 'ADDED b', 'LISTED', 'ADDED c', 'DELETED a', 'LISTED']);
  });

  it('lists again once: the next watch goes on without', async () => {
    const { asked } = await follow(
      [
        { items: [], resourceVersion: '5' },
        { items: [], resourceVersion: '9' },
      ],
      [[failure(410)], [added('a', '10')], ['open']],
    );
    expect(asked).toEqual(['list', 'watch 5', 'list', 'watch 9', 'watch 10']);
  });

  it('lists again until that succeeds', async () => {
    const { asked } = await follow(
      [{ items: [], resourceVersion: '5' }, failure(500), reset, { items: [], resourceVersion: '9' }],
      [[failure(410)], ['open']],
    );
    expect(asked).toEqual(['list', 'watch 5', 'list', 'list', 'list', 'watch 9']);
  });

  it('lists again when the server is behind the version that it is asked to go on from', async () => {
    const { asked } = await follow(
      [
        { items: [], resourceVersion: '5' },
        { items: [], resourceVersion: '5' },
      ],
      [[failure(504, 'Timeout: Too large resource version: 5, current: 3')], ['open']],
    );
    expect(asked).toEqual(['list', 'watch 5', 'list', 'watch 5']);
  });

  it('does not believe a list of an older state: asks until one is as new as what it knows', async () => {
    const { changes, asked } = await follow(
      [
        { items: [pod('a', '4')], resourceVersion: '5' },
        { items: [], resourceVersion: '3' },
        { items: [pod('a', '4')], resourceVersion: '5' },
      ],
      [[failure(410)], ['open']],
    );
    expect(asked).toEqual(['list', 'watch 5', 'list', 'list', 'watch 5']);
    expect(changes).toEqual(['ADDED a', 'LISTED', 'LISTED']);
  });
});

describe('ListWatch: relist', () => {
  it('merges one consistent list while the watch goes on', async () => {
    const script = scriptedWatches(
      [
        { items: [pod('a', '4')], resourceVersion: '5' },
        { items: [], resourceVersion: '8' },
      ],
      [['open']],
    );
    const changes: string[] = [];
    const listWatch = new ListWatch({
      cluster: script as unknown as Cluster,
      clock: new VirtualClock(0),
      selection,
      changed: ({ type }) => changes.push(type),
    });
    onTestFinished(() => listWatch.stop());
    await listWatch.start();
    await listWatch.relist();
    expect(changes).toEqual(['ADDED', 'LISTED', 'DELETED', 'LISTED']);
    expect(listWatch.resourceVersion).toBe('8');
    expect(script.asked).toEqual(['list', 'watch 5', 'list']);
  });

  it('fails when the server shows nothing but an older state', async () => {
    const stale = { items: [], resourceVersion: '3' };
    const script = scriptedWatches([{ items: [], resourceVersion: '5' }, stale, stale, stale, stale, stale], [['open']]);
    const listWatch = new ListWatch({
      cluster: script as unknown as Cluster,
      clock: new VirtualClock(0),
      selection,
      changed: () => undefined,
    });
    onTestFinished(() => listWatch.stop());
    await listWatch.start();
    await expect(listWatch.relist()).rejects.toThrow('list pods: the server answered with an older state (3) than it has shown before (5)');
  });
});

describe('ListWatch: stop', () => {
  it('tells nothing more', async () => {
    const { listWatch, changes, asked } = await follow([{ items: [], resourceVersion: '5' }], [['open', added('a', '6')]]);
    listWatch.stop();
    await new Promise(setImmediate);
    expect(changes).toEqual(['LISTED']);
    expect(asked).toEqual(['list', 'watch 5']);
  });

  it('tells nothing of a list that was on its way', async () => {
    const list = { items: [], resourceVersion: '5' };
    const changes: string[] = [];
    const cluster = scriptedWatches([list, list], [['open']]) as unknown as Cluster;
    const listWatch = new ListWatch({ cluster, clock: new VirtualClock(0), selection, changed: ({ type }) => changes.push(type) });
    await listWatch.start();
    const relisting = listWatch.relist();
    listWatch.stop();
    await relisting;
    expect(changes).toEqual(['LISTED']);
  });

  it('leaves a pause at once', async () => {
    const { listWatch, asked } = await follow([{ items: [], resourceVersion: '5' }], [[reset]]);
    listWatch.stop();
    await new Promise(setImmediate);
    expect(asked).toEqual(['list', 'watch 5']);
  });
});
