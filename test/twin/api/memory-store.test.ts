import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { createStore, type MemoryStore } from '../../../src/twin/api/memory-store.ts';

const beginning = Date.UTC(2026, 0, 1);

const configMap = (name: string, data: Readonly<Record<string, string>> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

const pod = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', image: 'registry.example/server:1' }] },
});

const reference = (name: string): { resource: typeof resources.configMaps; namespace: string; name: string } => ({
  resource: resources.configMaps,
  namespace: 'default',
  name,
});

const newStore = (): MemoryStore => createStore(new VirtualClock(beginning));

test('listeners hear each commit in order, even of those who write while they listen', () => {
  const store = newStore();
  const heard: string[][] = [[], []];
  store.subscribe(resources.configMaps, ({ object }) => {
    heard[0]?.push(object.metadata.name);
    if (object.metadata.name === 'first') store.create(resources.configMaps, configMap('caused'));
  });
  store.subscribe(resources.configMaps, ({ object }) => heard[1]?.push(object.metadata.name));
  store.create(resources.configMaps, configMap('first'));
  store.create(resources.configMaps, configMap('second'));
  expect(heard).toEqual([
    ['first', 'caused', 'second'],
    ['first', 'caused', 'second'],
  ]);
});

test('one who no longer listens hears nothing, and others hear only their resource', () => {
  const store = newStore();
  const heard: string[] = [];
  const stop = store.subscribe(resources.configMaps, ({ type, object }) => heard.push(`${type} ${object.metadata.name}`));
  store.create(resources.configMaps, configMap('a'));
  store.create(resources.pods, pod('b'));
  stop();
  store.create(resources.configMaps, configMap('c'));
  expect(heard).toEqual(['ADDED a']);
});

test('a listener that fails does not silence the others for ever', () => {
  const store = newStore();
  const heard: string[] = [];
  const stop = store.onCommit(() => {
    throw new Error('a bug');
  });
  expect(() => store.create(resources.configMaps, configMap('a'))).toThrow('a bug');
  stop();
  store.onCommit(({ change }) => heard.push(change.object.metadata.name));
  store.create(resources.configMaps, configMap('b'));
  expect(heard).toEqual(['b']);
});

test('a status is written without moving the generation, annotations with it where given', () => {
  const store = newStore();
  store.create(resources.deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a', namespace: 'default', annotations: { kept: 'yes' } },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'm', image: 'i' }] } },
    },
  });
  const deployment = { resource: resources.deployments, namespace: 'default', name: 'a' };
  expect(store.updateStatus(deployment, { replicas: 1 })).toMatchObject({
    metadata: { generation: 1, annotations: { kept: 'yes' } },
    status: { replicas: 1 },
  });
  const revised = store.updateStatus(deployment, { replicas: 1 }, { revision: '2' });
  expect(revised.metadata).toMatchObject({ generation: 1, annotations: { revision: '2' } });
  expect(revised.metadata.annotations).not.toHaveProperty('kept');
  expect(store.updateStatus(deployment, { replicas: 1 }, { revision: '2' })).toBe(revised);
});

test('the scheduler binds a pod once; nobody moves it', () => {
  const store = newStore();
  const created = store.create(resources.pods, pod('a'));
  const onNode = (nodeName: string): KubernetesObject => ({ ...pod('a'), spec: { ...(created['spec'] as object), nodeName } });
  expect(store.update(resources.pods, onNode('one'))).toMatchObject({ metadata: { generation: 1 }, spec: { nodeName: 'one' } });
  expect(() => store.update(resources.pods, onNode('two'))).toThrow('pod updates may not change fields');
});

test('what is stored is frozen and shared, not copied', () => {
  const store = newStore();
  const created = store.create(resources.configMaps, configMap('a', { key: 'value' }));
  expect(Object.isFrozen(created['data'])).toBe(true);
  expect(store.get(reference('a'))).toBe(created);
  const labelled = store.update(resources.configMaps, { ...created, metadata: { ...created.metadata, labels: { new: 'yes' } } });
  expect(labelled['data']).toBe(created['data']);
});

test('the same seed gives the same identifiers, another seed others', () => {
  const uids = (seed: number): unknown => {
    const store = createStore(new VirtualClock(beginning), { seed });
    return [
      store.create(resources.configMaps, configMap('a')),
      store.create(resources.pods, { ...pod('a'), metadata: { name: '', generateName: 'p-', namespace: 'default' } }),
    ].map(({ metadata }) => [metadata.uid, metadata.name]);
  };
  expect(uids(7)).toEqual(uids(7));
  expect(uids(7)).not.toEqual(uids(8));
});

test('a thousand UIDs are a thousand', () => {
  const store = newStore();
  const uids = Array.from({ length: 1000 }, (_, index) => store.create(resources.configMaps, configMap(`c-${index}`)).metadata.uid);
  expect(new Set(uids).size).toBe(1000);
});

test('an address is given again only when no other is free, and never while its Service is there', () => {
  const store = newStore();
  const addresses = new Set<unknown>();
  for (let index = 0; index < 500; index++) {
    const created = store.create(resources.services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: `s-${index}`, namespace: 'default' },
      spec: { ports: [{ port: 80 }] },
    });
    addresses.add((created['spec'] as { clusterIP: string }).clusterIP);
  }
  expect(addresses.size).toBe(500);
});

test('an old history is forgotten in part, never the latest changes', () => {
  const store = createStore(new VirtualClock(beginning), { historyLimit: 10 });
  const start = store.version;
  for (let index = 0; index < 100; index++) store.create(resources.configMaps, configMap(`c-${index}`));
  expect(store.history.since(start)).toBeUndefined();
  for (let back = 0; back <= 10; back++) expect(store.history.since(store.version - back)).toHaveLength(back);
});
