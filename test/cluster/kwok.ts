import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { ensureBinaries } from './binaries.ts';
import type { ControlPlane } from './control-plane.ts';
import { waitUntil } from './processes.ts';

export interface KwokOptions {
  /** How long a pod without a `twin.poimen.dev/pull` annotation takes until its containers run. Default 0. */
  readonly pullMs?: number;
  /** How long a pod without a `twin.poimen.dev/start` annotation runs until it is ready. Default 0. */
  readonly startMs?: number;
  /** How long a pod without a `twin.poimen.dev/terminate` annotation takes from its deletion until it is gone. Default 0. */
  readonly terminateMs?: number;
  /** Pods with this value of the label `app` are nobody's: they stay as they are written. Thousands of them would keep kwok busy for minutes. */
  readonly ignoredApp?: string;
}

/** For measurements: ready 2 s after scheduling, gone 1 s after deletion. */
export const benchmarkProfile = { pullMs: 0, startMs: 2_000, terminateMs: 1_000 } as const satisfies KwokOptions;

export interface Kwok {
  stop(): Promise<void>;
}

export interface FakeNodeOptions {
  /** Default `worker-1`. */
  readonly name?: string;
  /** The node's InternalIP, which its pods report as hostIP. */
  readonly address?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Default: 4 GPUs, 64 CPUs, 63495Mi, 110 pods. */
  readonly allocatable?: Readonly<Record<string, string>>;
}

const startDeadlineMs = 30_000;
const stopDeadlineMs = 3_000;

/**
 * Lets kwok play the kubelets of every node that is annotated `kwok.x-k8s.io/node: fake`, by the stages in `stages/`.
 *
 * @throws ProcessDied when kwok ends before it watches, for example because of a stage that it cannot read.
 */
export async function startKwok(controlPlane: ControlPlane, options: KwokOptions = {}): Promise<Kwok> {
  const { kwok } = await ensureBinaries(['kwok']);
  const config = join(controlPlane.dataDirectory, 'kwok-stages.yaml');
  await writeFile(config, await renderStages(options));
  const process = await controlPlane.attach('kwok', kwok, [
    `--kubeconfig=${controlPlane.componentKubeconfig('kwok')}`,
    `--config=${config}`,
    '--manage-all-nodes=false',
    '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
    '--node-lease-duration-seconds=40', // without leases the node controller calls the nodes dead after 50 s
    '--node-port=0', // no server: two at once would fight for its port
  ]);
  await waitUntil('kwok', [process], startDeadlineMs, async () => (await readFile(process.logFile, 'utf8')).includes('"Watch nodes"'));
  return { stop: () => process.stop(stopDeadlineMs) };
}

/**
 * With several workers kwok may play two stages of one pod at once; when the later one fails and is tried again, it takes the place of
 * the stage that was due, and the pod stands still for ever.
 */
const inOrder = `apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokConfiguration
options:
  podPlayStageParallelism: 1
  nodePlayStageParallelism: 4
  nodeLeaseParallelism: 4
  podsOnNodeSyncParallelism: 4
`;

/** The stages with the delays of the options in place of those in the files. */
async function renderStages({ pullMs = 0, startMs = 0, terminateMs = 0, ignoredApp }: KwokOptions): Promise<string> {
  const delaysMs: Readonly<Record<string, number>> = {
    'pod-pulled': pullMs,
    'pod-pull-failed': pullMs,
    'pod-config-error': pullMs,
    'pod-ready': startMs,
    'pod-gone': terminateMs,
  };
  const files = await Promise.all(['node.yaml', 'pod.yaml'].map((file) => readFile(join(import.meta.dirname, 'stages', file), 'utf8')));
  const stages = files.flatMap((text) => parseAllDocuments(text));
  for (const stage of stages) {
    if (!('setIn' in stage)) throw new Error('no stages');
    const delayMs = delaysMs[String(stage.getIn(['metadata', 'name']))];
    if (ignoredApp !== undefined && stage.getIn(['spec', 'resourceRef', 'kind']) === 'Pod') {
      const except = { jq: { key: '.metadata.labels["app"]', operator: 'NotIn', values: [ignoredApp] } };
      stage.addIn(['spec', 'selector', 'matchExpressions'], stage.createNode(except));
    }
    if (delayMs !== undefined) stage.setIn(['spec', 'delay', 'durationMilliseconds'], delayMs);
  }
  return [inOrder, ...stages.map(String)].join('---\n');
}

/** Creates a node for kwok to play, and waits until pods can be scheduled to it. */
export async function createFakeNode(controlPlane: ControlPlane, options: FakeNodeOptions = {}): Promise<void> {
  const name = options.name ?? 'worker-1';
  const address = options.address ?? '192.0.2.101';
  const allocatable = options.allocatable ?? { cpu: '64', memory: '63495Mi', pods: '110', 'nvidia.com/gpu': '4' };
  const created = await controlPlane.request('POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake', 'node.alpha.kubernetes.io/ttl': '0' },
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', ...options.labels },
    },
    status: {
      capacity: allocatable,
      allocatable,
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: { kubeletVersion: 'v1.34.4' },
    },
  });
  if (created.status !== 201) throw new Error(`node ${name}: ${JSON.stringify(created.body)}`);

  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    const { body } = await controlPlane.request('GET', `/api/v1/nodes/${name}`);
    if (isSchedulable(body as Node)) return;
    if (performance.now() > giveUpAt) throw new Error(`node ${name} is not ready after 30 s: ${JSON.stringify(body)}`);
    await sleep(50);
  }
}

interface Node {
  readonly spec?: { readonly podCIDR?: string; readonly taints?: readonly unknown[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Ready, no taint left by the node controller, and a range to take pod addresses from. */
const isSchedulable = ({ spec, status }: Node): boolean =>
  (status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false) &&
  (spec?.taints ?? []).length === 0 &&
  spec?.podCIDR !== undefined;
