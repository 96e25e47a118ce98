import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import type { KubernetesObject, ObjectMeta } from '../../../src/kubernetes/object.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { startGarbageCollector } from '../../../src/twin/api/garbage-collector.ts';
import { createStore, type MemoryStore } from '../../../src/twin/api/memory-store.ts';

const configMap = (name: string, metadata: Partial<ObjectMeta> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
});

const ownedBy = ({ metadata: { name, uid = '' } }: KubernetesObject): Partial<ObjectMeta> => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }],
});

const names = (store: MemoryStore): readonly string[] =>
  store.list({ resource: resources.configMaps }).map(({ metadata }) => metadata.name);

test('what an earlier process left undone is done at the start', () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const store = createStore(clock);
  const owner = store.create(resources.configMaps, configMap('owner'));
  store.create(resources.configMaps, configMap('child', ownedBy(owner)));
  store.delete({ resource: resources.configMaps, namespace: 'default', name: 'owner' });
  const restored = createStore(clock, { restored: { version: store.version, objects: store.everything() } });
  const collector = startGarbageCollector(restored);
  expect(names(restored)).toEqual(['child']);
  clock.fastForward(0);
  expect(names(restored)).toEqual([]);
  collector.stop();
});

test('an owner of the same name and another UID is no owner', () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const store = createStore(clock);
  const collector = startGarbageCollector(store);
  const owner = store.create(resources.configMaps, configMap('owner'));
  store.create(resources.configMaps, configMap('child', ownedBy(owner)));
  store.delete({ resource: resources.configMaps, namespace: 'default', name: 'owner' });
  store.create(resources.configMaps, configMap('owner'));
  clock.fastForward(0);
  expect(names(store)).toEqual(['owner']);
  collector.stop();
});

test('it does nothing once it is stopped', () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const store = createStore(clock);
  startGarbageCollector(store).stop();
  const owner = store.create(resources.configMaps, configMap('owner'));
  store.create(resources.configMaps, configMap('child', ownedBy(owner)));
  store.delete({ resource: resources.configMaps, namespace: 'default', name: 'owner' });
  clock.fastForward(1_000);
  expect(names(store)).toEqual(['child']);
});
