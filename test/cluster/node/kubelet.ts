import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlPlane } from '../control-plane.ts';
import { waitUntil, type ManagedProcess } from '../processes.ts';
import { hierarchies } from './clean-up.ts';
import { nodeFacts, type NodeRun } from './run.ts';

const readyDeadlineMs = 60_000;

/** The users under whose names kubelet and its like act; kube-router's permissions are not worth a role here. */
export const nodeUsers = {
  kubelet: { name: `system:node:${nodeFacts.nodeName}`, groups: ['system:nodes'] },
  'kube-proxy': { name: 'system:kube-proxy', groups: [] },
  'kube-router': { name: 'kube-router', groups: ['system:masters'] },
} as const;

type NodeComponent = keyof typeof nodeUsers;

const kubeconfigOf = (controlPlane: ControlPlane, component: NodeComponent): string => {
  const user = controlPlane.users[nodeUsers[component].name];
  if (user === undefined) throw new Error(`no user for ${component}`);
  return `--kubeconfig=${user.kubeconfig}`;
};

/** Starts kubelet and waits until the node takes pods. Its pods' cgroups are below one with the run's name. */
export async function startKubelet(controlPlane: ControlPlane, run: NodeRun, kubelet: string, containerdSocket: string): Promise<void> {
  const inside = (name: string): string => join(run.directory, 'kubelet', name);
  await mkdir(inside('.'), { recursive: true });
  for (const hierarchy of hierarchies()) await mkdir(join(hierarchy, run.name), { recursive: true });
  await writeFile(inside('resolv.conf'), ''); // the search domains of this machine are not the pods'
  await writeFile(
    inside('config.json'),
    JSON.stringify({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      address: nodeFacts.address,
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      authorization: { mode: 'AlwaysAllow' },
      cgroupDriver: 'cgroupfs',
      cgroupRoot: `/${run.name}`,
      clusterDNS: [nodeFacts.dnsAddress],
      clusterDomain: 'cluster.local',
      containerRuntimeEndpoint: `unix://${containerdSocket}`,
      evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
      failCgroupV1: false,
      failSwapOn: false,
      healthzPort: 0,
      imageGCHighThresholdPercent: 100,
      kubeAPIQPS: 500,
      kubeAPIBurst: 1000,
      resolvConf: inside('resolv.conf'),
      serializeImagePulls: false,
      volumePluginDir: inside('volume-plugins'), // the usual one is below /usr
    }),
  );
  const process = await controlPlane.attach('kubelet', kubelet, [
    `--config=${inside('config.json')}`,
    kubeconfigOf(controlPlane, 'kubelet'),
    `--root-dir=${inside('root')}`,
    `--cert-dir=${inside('certificates')}`,
    `--hostname-override=${nodeFacts.nodeName}`,
    `--node-ip=${nodeFacts.address}`,
  ]);
  await waitUntil(`node ${nodeFacts.nodeName}: Ready and without taints`, [process], readyDeadlineMs, async () =>
    isReady((await controlPlane.request('GET', nodePath)).body),
  );
  await advertiseGpus(controlPlane);
}

const nodePath = `/api/v1/nodes/${nodeFacts.nodeName}`;

/** https://kubernetes.io/docs/tasks/administer-cluster/extended-resource-node/ kubelet leaves alone what it does not know. */
async function advertiseGpus(controlPlane: ControlPlane): Promise<void> {
  const gpus = { 'nvidia.com/gpu': nodeFacts.gpus };
  const { status, body } = await controlPlane.request('PATCH', `${nodePath}/status`, { status: { capacity: gpus, allocatable: gpus } });
  if (status !== 200) throw new Error(`node ${nodeFacts.nodeName}: cannot advertise GPUs: ${JSON.stringify(body)}`);
}

export function startKubeProxy(controlPlane: ControlPlane, kubeProxy: string): Promise<ManagedProcess> {
  return controlPlane.attach('kube-proxy', kubeProxy, [
    kubeconfigOf(controlPlane, 'kube-proxy'),
    `--hostname-override=${nodeFacts.nodeName}`,
    '--proxy-mode=iptables',
    `--cluster-cidr=${nodeFacts.podRange}`,
    '--healthz-bind-address=127.0.0.1:10256',
    '--metrics-bind-address=127.0.0.1:10249',
    // a network namespace may not change the machine's connection tracking
    '--conntrack-max-per-core=0',
    '--conntrack-tcp-timeout-established=0',
    '--conntrack-tcp-timeout-close-wait=0',
  ]);
}

/** As enforcer of NetworkPolicies alone. It refuses rather than drops: the client sees "connection refused". */
export function startKubeRouter(controlPlane: ControlPlane, kubeRouter: string): Promise<ManagedProcess> {
  return controlPlane.attach('kube-router', kubeRouter, [
    kubeconfigOf(controlPlane, 'kube-router'),
    '--run-firewall=true',
    '--run-router=false',
    '--run-service-proxy=false',
    `--hostname-override=${nodeFacts.nodeName}`,
    `--service-cluster-ip-range=${nodeFacts.serviceRange}`,
    '--health-port=0',
    '--metrics-port=0',
  ]);
}

interface Node {
  readonly spec?: { readonly taints?: readonly unknown[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function isReady(body: unknown): boolean {
  const { spec, status } = body as Node;
  return (
    (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false) && (spec?.taints ?? []).length === 0
  );
}
