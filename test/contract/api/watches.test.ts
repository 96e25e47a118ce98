import { expect } from 'vitest';
import { isApiError } from '../../../src/cluster/api-error.ts';
import type { WatchEvent } from '../../../src/cluster/cluster.ts';
import type { Selection } from '../../../src/kubernetes/reference.ts';
import { contract } from '../contract.ts';
import { defineWidgets } from '../custom-resource.ts';
import { configMap, mergePatch, referTo, refusalOf, resources, written } from '../objects.ts';
import type { Subject } from '../subjects.ts';

const patienceMs = 10_000;

/** The first events of a watch, bookmarks left out, as `ADDED a`. */
const firstEvents = async (
  { cluster, clock }: Subject,
  selection: Selection,
  resourceVersion: string,
  count: number,
): Promise<readonly WatchEvent[]> => {
  const ending = new AbortController();
  const cancel = clock.after(patienceMs, () => ending.abort());
  const events: WatchEvent[] = [];
  try {
    for await (const event of cluster.watch(selection, { resourceVersion, signal: ending.signal })) {
      if (event.type !== 'BOOKMARK') events.push(event);
      if (events.length === count) break;
    }
  } finally {
    cancel();
  }
  return events;
};

const shown = (events: readonly WatchEvent[]): readonly string[] =>
  events.map((event) => (event.type === 'BOOKMARK' ? event.type : `${event.type} ${event.object.metadata.name}`));

contract('Watches', (behaviour) => {
  behaviour('a watch tells everything after its version, in order, once', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const selection = { resource: resources.configMaps, namespace, labelSelector: 'watched' };
    const labels = { watched: 'yes' };
    await cluster.create(resources.configMaps, configMap(namespace, 'before', {}, { labels }), written);
    const { resourceVersion } = await cluster.list(selection);
    await cluster.create(resources.configMaps, configMap(namespace, 'a', {}, { labels }), written);
    await cluster.patch(referTo(resources.configMaps, namespace, 'a'), mergePatch({ data: { key: 'b' } }), written);
    await cluster.patch(referTo(resources.configMaps, namespace, 'a'), mergePatch({ data: { key: 'b' } }), written);
    await cluster.delete(referTo(resources.configMaps, namespace, 'a'));
    await cluster.create(resources.configMaps, configMap(namespace, 'c', {}, { labels }), written);
    expect(shown(await firstEvents(subject, selection, resourceVersion, 4))).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED c']);
  });

  behaviour('a watch tells what happens while it is open', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const selection = { resource: resources.configMaps, namespace, labelSelector: 'watched' };
    const { resourceVersion } = await cluster.list(selection);
    const events = firstEvents(subject, selection, resourceVersion, 1);
    await cluster.create(resources.configMaps, configMap(namespace, 'a', {}, { labels: { watched: 'yes' } }), written);
    expect(shown(await events)).toEqual(['ADDED a']);
  });

  behaviour('the event of a deletion carries the last state, with the version of the deletion', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const created = await cluster.create(resources.configMaps, configMap(namespace, 'a', {}, { labels: { watched: 'yes' } }), written);
    await cluster.delete(referTo(resources.configMaps, namespace, 'a'));
    const selection = { resource: resources.configMaps, namespace, labelSelector: 'watched' };
    const [event] = await firstEvents(subject, selection, created.metadata.resourceVersion ?? '', 1);
    expect(event).toMatchObject({ type: 'DELETED', object: { metadata: { uid: created.metadata.uid }, data: { key: 'value' } } });
    if (event?.type !== 'DELETED') return;
    expect(Number(event.object.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
  });

  behaviour('an object that comes to match a selector is added, one that stops matching is deleted', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    const created = await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    const label = (value: string | null): Promise<unknown> =>
      cluster.patch(reference, mergePatch({ metadata: { labels: { side: value } } }), written);
    await label('new');
    await cluster.patch(reference, mergePatch({ data: { key: 'b' } }), written);
    await label('old');
    await label('new');
    await label(null);
    const selection = { resource: resources.configMaps, namespace, labelSelector: 'side=new' };
    const events = await firstEvents(subject, selection, created.metadata.resourceVersion ?? '', 5);
    expect(shown(events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED a', 'DELETED a']);
    // what no longer matches is shown as it last did
    expect(events[2]).toMatchObject({ object: { metadata: { labels: { side: 'new' } }, data: { key: 'b' } } });
  });

  behaviour('a watch of one object is a watch with a field selector', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const { resourceVersion } = await cluster.list({ resource: resources.configMaps, namespace });
    await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    await cluster.create(resources.configMaps, configMap(namespace, 'b'), written);
    const selection = { resource: resources.configMaps, namespace, fieldSelector: 'metadata.name=b' };
    expect(shown(await firstEvents(subject, selection, resourceVersion, 1))).toEqual(['ADDED b']);
  });

  behaviour('a watch that begins too long ago is expired', async (subject) => {
    const selection = { resource: await defineWidgets(subject) };
    await subject.cluster.list(selection);
    const error: unknown = await firstEvents(subject, selection, '1', 1).catch((reason: unknown) => reason);
    expect(isApiError(error, 410) && error.status).toMatchObject({
      reason: 'Expired',
      message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
    });
  });

  behaviour('a watch from a version that is no number is refused', async (subject) => {
    const refusal = await refusalOf(firstEvents(subject, { resource: resources.namespaces }, 'yesterday', 1));
    expect(refusal).toMatchObject({
      code: 500,
      message: 'resourceVersion: Invalid value: "yesterday": strconv.ParseUint: parsing "yesterday": invalid syntax',
    });
  });

  behaviour('a watch from the future tells nothing of what comes before', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const { resourceVersion } = await cluster.list({ resource: resources.configMaps, namespace });
    const future = String(Number(resourceVersion) + 1_000_000);
    const ending = new AbortController();
    subject.clock.after(100, () => ending.abort());
    const watch = cluster.watch({ resource: resources.configMaps, namespace }, { resourceVersion: future, signal: ending.signal });
    const first = watch[Symbol.asyncIterator]().next();
    await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    expect(await first).toMatchObject({ done: true });
  });

  behaviour('a watch ends when it is aborted', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const { resourceVersion } = await cluster.list({ resource: resources.configMaps, namespace });
    const ending = new AbortController();
    subject.clock.after(100, () => ending.abort());
    for await (const event of cluster.watch({ resource: resources.secrets, namespace }, { resourceVersion, signal: ending.signal })) {
      expect.fail(`nothing happened, but ${event.type} was told`);
    }
  });
});
