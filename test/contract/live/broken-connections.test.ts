import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import { fieldManager, type Cluster } from '../../../src/cluster/cluster.ts';
import { ListWatch } from '../../../src/cluster/list-watch.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { temporaryFolder } from '../../cluster-client/live/connect.ts';
import { startTcpProxy, type TcpProxy } from '../../cluster-client/live/tcp-proxy.ts';
import { changedKubeconfig, connectReal, describeOnRealCluster, newNamespace, serverPort } from './real-cluster.ts';

describeOnRealCluster('a list-watch over connections that break', () => {
  it('misses nothing: in the end it knows what a fresh list says, and each deletion was told', async () => {
    const direct = await connectReal();
    const proxy = await startTcpProxy(await serverPort());
    const namespace = await newNamespace(direct);
    const shaken = await connectThrough(proxy);
    const known = new Map<string, KubernetesObject>(); // by UID
    const troubles: string[] = [];
    let told = 0;
    const selection = { resource: resources.configMaps, namespace };
    const { promise: caughtUp, resolve } = Promise.withResolvers<void>();
    const listWatch = new ListWatch({
      cluster: shaken,
      clock: systemClock,
      selection,
      changed: (change) => {
        if (change.type === 'LISTED') return;
        const { uid = '', name } = change.object.metadata;
        if (++told % 5 === 0) proxy.reset();
        if (change.type === 'DELETED') known.delete(uid);
        else known.set(uid, change.object);
        if (name === 'the-end') resolve();
      },
      trouble: (message) => troubles.push(message),
    });
    onTestFinished(() => listWatch.stop());
    await listWatch.start();

    await Promise.all(['a', 'b', 'c'].map((prefix) => churn(direct, namespace, prefix)));
    await direct.create(resources.configMaps, configMap(namespace, 'the-end'), { fieldManager });
    await caughtUp;

    const { items } = await direct.list(selection);
    const versions = (objects: Iterable<KubernetesObject>) =>
      [...objects].map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).toSorted();
    expect(versions(listWatch.items.values())).toEqual(versions(items));
    expect(versions(known.values())).toEqual(versions(items));
    expect(troubles.length).toBeGreaterThan(3); // or too little broke, and this test says nothing
  });
});

const connectThrough = async (proxy: TcpProxy): Promise<Cluster> => {
  const kubeconfig = join(await temporaryFolder(), 'kubeconfig');
  await writeFile(kubeconfig, await changedKubeconfig({ cluster: { server: proxy.url } }));
  return await connectReal({ kubeconfig });
};

/** Creates, changes, deletes and creates again. */
const churn = async (cluster: Cluster, namespace: string, prefix: string): Promise<void> => {
  for (let round = 0; round < 20; round++) {
    const name = `${prefix}-${round % 4}`;
    const reference = { resource: resources.configMaps, namespace, name };
    if (round >= 4) await cluster.delete(reference);
    await cluster.create(resources.configMaps, configMap(namespace, name), { fieldManager });
    await cluster.patch(reference, { type: 'merge', body: { data: { round: String(round) } } }, { fieldManager });
  }
};

const configMap = (namespace: string, name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
});
