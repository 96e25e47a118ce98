import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import type { WatchEvent } from '../../../src/cluster/cluster.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { createStore } from '../../../src/twin/api/memory-store.ts';
import { watchStore } from '../../../src/twin/api/watch.ts';

const beginning = Date.UTC(2026, 0, 1);

test('a quiet watch is told the latest version about once a minute, and does not move time for it', async () => {
  const clock = new VirtualClock(beginning);
  const store = createStore(clock);
  const ending = new AbortController();
  const watch = watchStore(store, { resource: resources.pods }, String(store.version), ending.signal);
  const events: WatchEvent[] = [];
  const reading = (async () => {
    for await (const event of watch) events.push(event);
  })();
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.now()).toBe(beginning);
  store.create(resources.configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } });
  await new Promise<void>((resolve) => clock.after(150_000, resolve));
  ending.abort();
  await reading;
  const bookmark = { type: 'BOOKMARK', resourceVersion: String(store.version) };
  expect(events).toEqual([bookmark, bookmark]);
});

test('a watch that is left leaves no listener and no timer behind', async () => {
  const clock = new VirtualClock(beginning);
  const store = createStore(clock);
  for await (const event of watchStore(store, { resource: resources.namespaces }, '0', new AbortController().signal)) {
    expect(event.type).toBe('ADDED');
    break;
  }
  clock.fastForward(24 * 3_600_000);
  expect(clock.now()).toBe(beginning);
});
