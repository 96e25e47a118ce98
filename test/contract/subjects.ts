import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Clock } from '../../src/clock/clock.ts';
import { systemClock } from '../../src/clock/system-clock.ts';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import { fieldManager, type Cluster } from '../../src/cluster/cluster.ts';
import { connectLive } from '../../src/cluster/live/connect-live.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { startGarbageCollector } from '../../src/twin/api/garbage-collector.ts';
import { createStore, type MemoryStore } from '../../src/twin/api/memory-store.ts';
import { startControllers } from '../../src/twin/controllers/start-controllers.ts';
import { createTwinCluster } from '../../src/twin/twin-cluster.ts';
import { twinKubeconfig } from '../../src/twin-server/kubeconfig.ts';
import { startTwinServer } from '../../src/twin-server/twin-server.ts';
import { clearNamespace } from './clear-namespace.ts';
import { eventually } from './eventually.ts';

/** A cluster that has to behave like Kubernetes, with the clock that its time is measured by and one node, `worker-1`, with four GPUs. */
export interface Subject {
  readonly name: SubjectName;
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** A namespace that nobody else uses, in which pods can be created. */
  readonly newNamespace: () => Promise<string>;
  close(): Promise<void>;
}

export type SubjectName = 'the twin' | 'the served twin' | 'a real control plane';

export interface SubjectSource {
  readonly name: SubjectName;
  /** Why it cannot be used here. */
  readonly missing?: string;
  open(): Promise<Subject>;
}

/** The twin first: what it gets wrong shows soonest. */
export const subjectSources = (): readonly SubjectSource[] => {
  const { missing, kubeconfig = '' } = inject('realControlPlane');
  return [
    { name: 'the twin', open: openTwinSubject },
    { name: 'the served twin', open: openServedSubject },
    { name: 'a real control plane', ...(missing === undefined ? {} : { missing }), open: () => openRealSubject(kubeconfig) },
  ];
};

/** A twin that remembers nothing. */
const startTwin = (): { readonly clock: VirtualClock; readonly store: MemoryStore; readonly closed: () => void } => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const store = createStore(clock, { tracksOwners: true });
  const collector = startGarbageCollector(store);
  const controllers = startControllers(store, { podTimes: { pullMs: 0, startMs: 0, terminateMs: 0 } }); // kwok's
  const closed = (): void => {
    controllers.stop();
    collector.stop();
  };
  return { clock, store, closed };
};

const openTwinSubject = async (): Promise<Subject> => {
  const { clock, store, closed } = startTwin();
  const cluster = createTwinCluster({ store, identity: { kind: 'twin', name: 'contract', server: 'twin' }, closed });
  await cluster.create(resources.nodes, worker, { fieldManager });
  return { name: 'the twin', cluster, clock, newNamespace: () => createNamespace(cluster), close: () => cluster.close() };
};

/** The twin as an API server on loopback, and the live client: everything goes over HTTP. */
const openServedSubject = async (): Promise<Subject> => {
  const { clock, store, closed } = startTwin();
  const server = await startTwinServer({ store, clock, port: 0, pace: { kind: 'real', factor: 1 } });
  const folder = await mkdtemp(join(tmpdir(), 'poimen-served-twin-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, twinKubeconfig({ url: server.url, folder }));
  const { cluster } = await connectLive({ kubeconfig, requestTimeoutMs: 10_000, env: {} });
  await cluster.create(resources.nodes, worker, { fieldManager });
  const close = async (): Promise<void> => {
    await cluster.close();
    await server.close();
    closed();
    await rm(folder, { recursive: true });
  };
  return { name: 'the served twin', cluster, clock: systemClock, newNamespace: () => createNamespace(cluster), close };
};

/** As `createFakeNode` makes it beside the real control plane. */
const worker = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'worker-1',
    labels: { 'kubernetes.io/hostname': 'worker-1', 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
  },
  status: { capacity: { cpu: '64', memory: '63495Mi', pods: '110', 'nvidia.com/gpu': '4' } },
};

/** Of the control plane that this kubeconfig is of. */
export const openRealSubject = async (kubeconfig: string): Promise<Subject> => {
  const { cluster } = await connectLive({ kubeconfig, requestTimeoutMs: 10_000, env: {} });
  const namespaces: string[] = [];
  const newNamespace = async (): Promise<string> => {
    const namespace = await createNamespace(cluster);
    namespaces.push(namespace);
    // Admission turns pods away until the controller manager has made their account.
    const selection = { resource: resources.serviceAccounts, namespace };
    await eventually({ cluster, clock: systemClock }, selection, (accounts) =>
      accounts.some(({ metadata }) => metadata.name === 'default'),
    );
    return namespace;
  };
  const close = async (): Promise<void> => {
    await Promise.all(namespaces.map((namespace) => clearNamespace(cluster, namespace)));
    await cluster.close();
  };
  return { name: 'a real control plane', cluster, clock: systemClock, newNamespace, close };
};

const createNamespace = async (cluster: Cluster): Promise<string> => {
  const name = `contract-${randomUUID().slice(0, 8)}`;
  await cluster.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { fieldManager });
  return name;
};
