import { expect } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import type { Selection } from '../../../src/kubernetes/reference.ts';
import { contract } from '../contract.ts';
import { configMap, pod, podOnNode, mergePatch, referTo, refusalOf, resources, written } from '../objects.ts';
import type { Subject } from '../subjects.ts';

const namesOf = (items: readonly KubernetesObject[]): readonly string[] => items.map(({ metadata }) => metadata.name);

const withPods = async ({ cluster, newNamespace }: Subject): Promise<string> => {
  const namespace = await newNamespace();
  const labels = (app: string, tier?: string): Partial<KubernetesObject['metadata']> => ({
    labels: { app, ...(tier === undefined ? {} : { tier }) },
  });
  await cluster.create(resources.pods, pod(namespace, 'c', {}, labels('serve', 'model')), written);
  await cluster.create(resources.pods, pod(namespace, 'a', {}, labels('serve')), written);
  await cluster.create(resources.pods, podOnNode(namespace, 'b', {}, labels('candle', 'model')), written);
  return namespace;
};

contract('Lists and selectors', (behaviour) => {
  behaviour('a list is ordered by name and carries the version to go on from', async (subject) => {
    const namespace = await withPods(subject);
    const { items, resourceVersion } = await subject.cluster.list({ resource: resources.pods, namespace });
    expect(namesOf(items)).toEqual(['a', 'b', 'c']);
    expect(items.every(({ metadata }) => Number(metadata.resourceVersion) <= Number(resourceVersion))).toBe(true);
    expect(items.every(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1')).toBe(true);
  });

  behaviour('a list keeps of each object what is asked for', async (subject) => {
    const namespace = await withPods(subject);
    const { items, resourceVersion } = await subject.cluster.list(
      { resource: resources.pods, namespace },
      {
        keep: ({ apiVersion, kind, metadata: { name, labels = {} } }) =>
          labels['tier'] === undefined ? undefined : { apiVersion, kind, metadata: { name } },
      },
    );
    expect(items).toEqual(['b', 'c'].map((name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } })));
    expect(Number(resourceVersion)).toBeGreaterThan(0);
    expect((await subject.cluster.list({ resource: resources.pods, namespace })).items).toHaveLength(3);
  });

  behaviour('a list is of one namespace, or of all', async (subject) => {
    const { cluster, newNamespace } = subject;
    const [one, other] = [await newNamespace(), await newNamespace()];
    const labels = { contract: one };
    await cluster.create(resources.configMaps, configMap(one, 'a', {}, { labels }), written);
    await cluster.create(resources.configMaps, configMap(other, 'b', {}, { labels }), written);
    const selection: Selection = { resource: resources.configMaps, labelSelector: `contract=${one}` };
    expect(namesOf((await cluster.list({ ...selection, namespace: one })).items)).toEqual(['a']);
    expect(namesOf((await cluster.list(selection)).items).toSorted()).toEqual(['a', 'b']);
  });

  const labelCases: readonly (readonly [string, readonly string[]])[] = [
    ['app=serve', ['a', 'c']],
    ['app==serve,tier=model', ['c']],
    ['app!=serve', ['b']],
    ['tier', ['b', 'c']],
    ['!tier', ['a']],
    ['app in (serve, candle),tier', ['b', 'c']],
    ['app notin (candle)', ['a', 'c']],
    ['tier notin (model)', ['a']],
    ['app=', []],
  ];
  for (const [labelSelector, names] of labelCases) {
    behaviour(`the label selector "${labelSelector}" selects ${names.length === 0 ? 'nothing' : names.join(' and ')}`, async (subject) => {
      const namespace = await withPods(subject);
      expect(namesOf((await subject.cluster.list({ resource: resources.pods, namespace, labelSelector })).items)).toEqual(names);
    });
  }

  const fieldCases: readonly (readonly [string, readonly string[]])[] = [
    ['metadata.name=a', ['a']],
    ['metadata.name!=a', ['b', 'c']],
    ['spec.nodeName=without-kubelet', ['b']],
    ['spec.nodeName=', ['a', 'c']],
    ['status.phase=Pending', ['a', 'b', 'c']],
    ['status.phase!=Pending', []],
    ['spec.schedulerName=nobody,metadata.name=c', ['c']],
  ];
  for (const [fieldSelector, names] of fieldCases) {
    behaviour(`the field selector "${fieldSelector}" selects ${names.length === 0 ? 'nothing' : names.join(' and ')}`, async (subject) => {
      const namespace = await withPods(subject);
      expect(namesOf((await subject.cluster.list({ resource: resources.pods, namespace, fieldSelector })).items)).toEqual(names);
    });
  }

  behaviour('a field that cannot be selected by is refused', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    expect(await refusalOf(cluster.list({ resource: resources.pods, namespace, fieldSelector: 'spec.hostname=a' }))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'field label not supported: spec.hostname',
    });
    expect(await refusalOf(cluster.list({ resource: resources.deployments, namespace, fieldSelector: 'spec.replicas=1' }))).toMatchObject({
      code: 400,
      message: '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
  });

  behaviour('a selector that cannot be read is refused', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const refusal = await refusalOf(cluster.list({ resource: resources.pods, namespace, labelSelector: 'app in serve' }));
    expect(refusal).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(refusal.message).toContain('unable to parse');
  });

  behaviour('a list shows what was written just before', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.pods, pod(namespace, 'a'), written);
    await cluster.patch(referTo(resources.pods, namespace, 'a'), mergePatch({ metadata: { labels: { written: 'now' } } }), written);
    expect(namesOf((await cluster.list({ resource: resources.pods, namespace, labelSelector: 'written=now' })).items)).toEqual(['a']);
    await cluster.delete(referTo(resources.pods, namespace, 'a'));
    expect((await cluster.list({ resource: resources.pods, namespace })).items).toEqual([]);
  });

  behaviour('a resource that nobody serves is not found', async ({ cluster }) => {
    expect(await refusalOf(cluster.list({ resource: resources.inferenceServices }))).toMatchObject({
      code: 404,
      reason: '',
      message: 'HTTP 404: 404 page not found',
    });
    expect(await cluster.discover('serving.kserve.io')).toEqual([]);
  });

  behaviour('discovery names the resources of a group', async ({ cluster }) => {
    expect(await cluster.discover('')).toEqual(
      expect.arrayContaining([resources.pods, resources.services, resources.nodes, resources.namespaces]),
    );
    expect(await cluster.discover('apps')).toEqual(
      expect.arrayContaining([resources.deployments, resources.replicaSets, resources.statefulSets]),
    );
    expect(await cluster.discover('discovery.k8s.io')).toEqual([resources.endpointSlices]);
  });
});
