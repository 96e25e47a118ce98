import { isApiError } from '../../src/cluster/api-error.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import type { Patch } from '../../src/kubernetes/patch.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import type { ControlPlane } from './control-plane.ts';
import { createFakeNode } from './kwok.ts';

export interface Bystanders {
  readonly namespaces: number;
  readonly nodes: number;
}

const allocatable = { cpu: '10000', memory: '100000Gi', pods: '2000' };

/** Nodes without a card, for pods that have nothing to do with what is measured. */
export const createPlainNodes = async (controlPlane: ControlPlane, { nodes }: Bystanders): Promise<void> => {
  for (let index = 0; index < nodes; index++)
    await createFakeNode(controlPlane, { name: `plain-${index}`, address: `192.0.2.${index + 1}`, allocatable });
};

/**
 * Everything that a cluster full of others' work has: in each namespace a Deployment, a Service and a policy, and as many pods in all as asked
 * for. They are on nodes and running as they are made, because a scheduler and kwok would take minutes: kwok has to ignore `bystanderApp`.
 * `before`: how many there are already.
 */
export const createBystanders = async (cluster: Cluster, pods: number, { namespaces, nodes }: Bystanders, before = 0): Promise<void> => {
  if (before === 0) await Promise.all(Array.from({ length: namespaces }, (_, index) => createNamespace(cluster, `others-${index}`)));
  const atOnce = 40;
  for (let first = before; first < before + pods; first += atOnce) {
    const indices = Array.from({ length: Math.min(atOnce, before + pods - first) }, (_, offset) => first + offset);
    await Promise.all(
      indices.map((index) => createRunning(cluster, `others-${index % namespaces}`, `other-${index}`, `plain-${index % nodes}`)),
    );
  }
};

const createNamespace = async (cluster: Cluster, namespace: string): Promise<void> => {
  await cluster.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, written);
  for (const [resource, object] of [
    [resources.deployments, deployment],
    [resources.services, service],
    [resources.networkPolicies, policy],
  ] as const)
    await cluster.create(resource, { ...object, metadata: { ...object.metadata, namespace } }, written);
};

const createRunning = async (cluster: Cluster, namespace: string, name: string, nodeName: string): Promise<void> => {
  await createPod(cluster, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: { nodeName, containers: [container] },
  });
  const patch: Patch = { type: 'merge', body: { status: running } };
  await cluster.patch({ resource: resources.pods, namespace, name }, patch, { ...written, subresource: 'status' });
};

/** The service account of a new namespace comes a moment later; without it admission forbids. */
const createPod = async (cluster: Cluster, pod: KubernetesObject): Promise<void> => {
  try {
    await cluster.create(resources.pods, pod, written);
  } catch (error) {
    if (!isApiError(error, 403)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await createPod(cluster, pod);
  }
};

const written = { fieldManager: 'bystander' };

export const bystanderApp = 'other';
const labels = { app: bystanderApp };
const container = {
  name: 'main',
  image: 'registry.example/other:1.0',
  ports: [{ name: 'http', containerPort: 8080 }],
  resources: { requests: { cpu: '10m', memory: '16Mi' } },
};

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'other' },
  spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
};

const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'other' }, spec: { selector: labels, ports: [{ port: 80 }] } };

const policy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'other' },
  spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [{ namespaceSelector: {} }] }] },
};

const now = '2026-01-01T00:00:00Z';
const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: now });

/** About what a kubelet writes. */
const running = {
  phase: 'Running',
  startTime: now,
  podIP: '10.0.0.1',
  podIPs: [{ ip: '10.0.0.1' }],
  conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
  containerStatuses: [
    {
      name: 'main',
      image: 'registry.example/other:1.0',
      imageID: `registry.example/other@sha256:${'0'.repeat(64)}`,
      containerID: `containerd://${'0'.repeat(64)}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    },
  ],
};
