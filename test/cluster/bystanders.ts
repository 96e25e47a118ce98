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
 * for. They are on nodes already, because a scheduler would take minutes; resolves when kwok runs all of them.
 */
export const createBystanders = async (controlPlane: ControlPlane, pods: number, { namespaces, nodes }: Bystanders): Promise<void> => {
  for (let index = 0; index < namespaces; index++) {
    const namespace = `others-${index}`;
    await create(controlPlane, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await create(controlPlane, `/apis/apps/v1/namespaces/${namespace}/deployments`, deployment);
    await create(controlPlane, `/api/v1/namespaces/${namespace}/services`, service);
    await create(controlPlane, `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`, policy);
  }
  const atOnce = 40;
  for (let first = 0; first < pods; first += atOnce) {
    const indices = Array.from({ length: Math.min(atOnce, pods - first) }, (_, offset) => first + offset);
    await Promise.all(
      indices.map((index) =>
        create(controlPlane, `/api/v1/namespaces/others-${index % namespaces}/pods`, pod(`other-${index}`, `plain-${index % nodes}`)),
      ),
    );
  }
  while (await isAnyPending(controlPlane)) await new Promise((resolve) => setTimeout(resolve, 500));
};

const isAnyPending = async (controlPlane: ControlPlane): Promise<boolean> => {
  const { body } = await controlPlane.request('GET', '/api/v1/pods?fieldSelector=status.phase%3DPending&limit=1');
  return (body as { readonly items: readonly unknown[] }).items.length > 0;
};

const labels = { app: 'other' };
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

const pod = (name: string, nodeName: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { nodeName, containers: [container] },
});

const create = async (controlPlane: ControlPlane, path: string, object: object): Promise<void> => {
  const { status, body } = await controlPlane.request('POST', path, object);
  if (status === 201) return;
  if (status !== 403) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  await new Promise((resolve) => setTimeout(resolve, 200)); // the service account of a new namespace comes a moment later
  await create(controlPlane, path, object);
};
