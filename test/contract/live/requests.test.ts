import { expect, it } from 'vitest';
import { fieldManager } from '../../../src/cluster/cluster.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { connectReal, describeOnRealCluster, newNamespace } from './real-cluster.ts';

const written = { fieldManager };

describeOnRealCluster('requests', () => {
  it('follows the pages of a long list', async () => {
    const cluster = await connectReal();
    const namespace = await newNamespace(cluster);
    const names = Array.from({ length: 503 }, (_, index) => `page-${String(index).padStart(3, '0')}`);
    await Promise.all(
      names.map((name) =>
        cluster.create(resources.configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }, written),
      ),
    );
    const { items } = await cluster.list({ resource: resources.configMaps, namespace });
    const listed = items.filter(({ metadata }) => metadata.name.startsWith('page-'));
    expect(listed.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(listed[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  it('is refused a field that the API does not know, instead of losing it', async () => {
    const cluster = await connectReal();
    const namespace = await newNamespace(cluster);
    const misspelt = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace }, dta: { key: 'value' } };
    await expect(cluster.create(resources.configMaps, misspelt, written)).rejects.toMatchObject({
      status: {
        code: 400,
        reason: 'BadRequest',
        message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dta"',
      },
    });
  });

  it('writes under its own name', async () => {
    const cluster = await connectReal();
    const namespace = await newNamespace(cluster);
    const created = await cluster.create(
      resources.configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace }, data: { key: 'value' } },
      written,
    );
    expect(created.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['poimen']);
  });

  it('discovers groups, and that one is not there', async () => {
    const cluster = await connectReal();
    expect(await cluster.discover('apps')).toContainEqual(resources.deployments);
    expect(await cluster.discover('')).toContainEqual(resources.pods);
    expect(await cluster.discover('autoscaling')).toContainEqual(resources.horizontalPodAutoscalers);
    expect(await cluster.discover('keda.sh')).toEqual([]);
  });

  it('answers what poimen itself reads and writes under the versions that it knows', async () => {
    const cluster = await connectReal();
    const known = Object.values(resources).filter(({ group }) => !['keda.sh', 'serving.kserve.io'].includes(group));
    const groups = [...new Set(known.map(({ group }) => group))];
    const served = (await Promise.all(groups.map((group) => cluster.discover(group)))).flat();
    expect(served).toEqual(expect.arrayContaining(known));
  });
});
