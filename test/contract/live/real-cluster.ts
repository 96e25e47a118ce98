import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, inject, onTestFinished } from 'vitest';
import { fieldManager, type Cluster } from '../../../src/cluster/cluster.ts';
import { connectLive, type ConnectLiveOptions } from '../../../src/cluster/live/connect-live.ts';
import { isJsonObject, objectsIn, stringIn } from '../../../src/cluster/live/json.ts';
import { resources } from '../../../src/kubernetes/resource.ts';

/** A suite on the real control plane; left out, and said so, where there is none. */
export const describeOnRealCluster = (topic: string, body: () => void): void => {
  const { missing } = inject('realControlPlane');
  const leftOut = missing === undefined ? '' : ` (left out: ${missing} missing)`;
  describe.skipIf(missing !== undefined)(`${topic}, on a real control plane${leftOut}`, () => {
    body();
  });
};

export const kubeconfigPath = (): string => inject('realControlPlane').kubeconfig ?? '';

/** As the administrator, or as the options say. */
export const connectReal = async (options: Partial<ConnectLiveOptions> = {}): Promise<Cluster> => {
  const { cluster } = await connectLive({ kubeconfig: kubeconfigPath(), requestTimeoutMs: 10_000, env: {}, ...options });
  onTestFinished(() => cluster.close());
  return cluster;
};

export const newNamespace = async (cluster: Cluster): Promise<string> => {
  const name = `live-${randomUUID().slice(0, 8)}`;
  await cluster.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { fieldManager });
  return name;
};

/** The kubeconfig of the administrator, as JSON, with its one cluster's and user's fields replaced. */
export const changedKubeconfig = async (change: { readonly cluster?: object; readonly user?: object }): Promise<string> => {
  const config: unknown = JSON.parse(await readFile(kubeconfigPath(), 'utf8'));
  if (!isJsonObject(config)) throw new Error('no kubeconfig');
  const clusters = objectsIn(config, 'clusters').map((entry) => ({
    ...entry,
    cluster: { ...(isJsonObject(entry['cluster']) ? entry['cluster'] : {}), ...change.cluster },
  }));
  const users = objectsIn(config, 'users').map((entry) => (change.user === undefined ? entry : { ...entry, user: change.user }));
  return JSON.stringify({ ...config, clusters, users });
};

export const serverPort = async (): Promise<number> => {
  const config: unknown = JSON.parse(await readFile(kubeconfigPath(), 'utf8'));
  const [entry] = isJsonObject(config) ? objectsIn(config, 'clusters') : [];
  const server = entry !== undefined && isJsonObject(entry['cluster']) ? stringIn(entry['cluster'], 'server') : undefined;
  return Number(new URL(server ?? '').port);
};
