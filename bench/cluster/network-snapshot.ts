import { execFile, type ExecFileOptions } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startControlPlane, type ControlPlane } from '../../test/cluster/control-plane.ts';
import { createFakeNode, startKwok } from '../../test/cluster/kwok.ts';
import { packageDirectory } from '../commands.ts';
import { median, milliseconds, type Figure } from '../figure.ts';
import { isJsonObject } from '../../src/kubernetes/json.ts';

const steps = [1000, 10_000] as const;
const namespaces = 20;
const nodes = 20;

/** What netcheck reads of a live cluster beside `kubectl get pods -A -o json`, on pods that kwok runs. */
export const measureNetworkSnapshot = async (rounds: number): Promise<readonly Figure[]> => {
  const controlPlane = await startControlPlane();
  try {
    await startKwok(controlPlane);
    for (let node = 0; node < nodes; node++)
      await createFakeNode(controlPlane, { name: `worker-${node}`, address: `192.0.2.${node + 1}`, allocatable });
    await createNamespaces(controlPlane);
    const memory: number[] = [];
    const own: number[] = [];
    const kubectl: number[] = [];
    let before = 0;
    for (const pods of steps) {
      await createPods(controlPlane, before, pods);
      before = pods;
      memory.push((await snapshot(controlPlane, pods)).peakMegabytes);
    }
    for (let round = -1; round < rounds; round++) {
      const [ownMs, kubectlMs] = [(await snapshot(controlPlane, before)).ms, await kubectlGet(controlPlane)];
      if (round < 0) continue;
      own.push(ownMs);
      kubectl.push(kubectlMs);
    }
    const [small = 0, large = 0] = memory;
    return [
      {
        what: `live snapshot of ${before} pods, with all else that decides, and its process`,
        against: '`kubectl get pods -A -o json`',
        value: median(own) / median(kubectl),
        atMost: 1,
        medians: { poimen: milliseconds(median(own)), kubectl: milliseconds(median(kubectl)) },
        rounds,
      },
      {
        what: `its peak memory, ${before} pods`,
        against: `that with ${steps[0]} pods`,
        value: large / small,
        medians: { [String(steps[0])]: `${small.toFixed(0)} MB`, [String(before)]: `${large.toFixed(0)} MB` },
        rounds: 1,
      },
    ];
  } finally {
    await controlPlane.stop();
  }
};

const allocatable = { cpu: '10000', memory: '100000Gi', pods: '1000' };

const large: ExecFileOptions = { maxBuffer: 1 << 30 };

const snapshot = async (controlPlane: ControlPlane, expected: number): Promise<{ readonly ms: number; readonly peakMegabytes: number }> => {
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(packageDirectory, 'bench/cluster/network-snapshot-process.ts'),
    controlPlane.kubeconfig,
  ]);
  const ms = performance.now() - startedAt;
  const { pods, peakMegabytes }: { pods: number; peakMegabytes: number } = JSON.parse(stdout);
  if (pods !== expected) throw new Error(`${pods} of ${expected} pods`);
  return { ms, peakMegabytes };
};

const kubectlGet = async (controlPlane: ControlPlane): Promise<number> => {
  const startedAt = performance.now();
  await promisify(execFile)(controlPlane.kubectl, ['--kubeconfig', controlPlane.kubeconfig, 'get', 'pods', '-A', '-o', 'json'], large);
  return performance.now() - startedAt;
};

const createNamespaces = async (controlPlane: ControlPlane): Promise<void> => {
  for (let index = 0; index < namespaces; index++)
    await created(controlPlane, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `ns-${index}` } });
};

/** On nodes already: a scheduler would take minutes. Waits until all of them run. */
const createPods = async (controlPlane: ControlPlane, from: number, to: number): Promise<void> => {
  const atOnce = 40;
  for (let first = from; first < to; first += atOnce) {
    const indices = Array.from({ length: Math.min(atOnce, to - first) }, (_, offset) => first + offset);
    await Promise.all(indices.map((index) => created(controlPlane, `/api/v1/namespaces/ns-${index % namespaces}/pods`, pod(index))));
  }
  while ((await countRunning(controlPlane)) < to) await new Promise((resolve) => setTimeout(resolve, 2000));
};

const countRunning = async (controlPlane: ControlPlane): Promise<number> => {
  const { body } = await controlPlane.request('GET', '/api/v1/pods?fieldSelector=status.phase%3DRunning');
  return isJsonObject(body) && Array.isArray(body['items']) ? body['items'].length : 0;
};

const pod = (index: number): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${index}`, labels: { app: `app-${Math.floor(index / 10)}`, tier: `t${index % 5}` } },
  spec: {
    nodeName: `worker-${index % nodes}`,
    containers: [
      {
        name: 'main',
        image: 'registry.example/app:1.2.3',
        ports: [{ name: 'http', containerPort: 8080 }],
        resources: { requests: { cpu: '10m', memory: '16Mi' } },
      },
    ],
  },
});

const created = async (controlPlane: ControlPlane, path: string, object: object): Promise<void> => {
  const { status, body } = await controlPlane.request('POST', path, object);
  // The service account of a new namespace comes a moment later.
  if (status === 403) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return created(controlPlane, path, object);
  }
  if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
};
