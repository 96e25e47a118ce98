import type { ControlPlane } from '../../test/cluster/control-plane.ts';

export const namespace = 'bench';

/** The two that take turns; each wants all cards of the node. */
export const sides = ['first', 'second'] as const;
export type Side = (typeof sides)[number];

export const otherSide = (side: Side): Side => (side === 'first' ? 'second' : 'first');

const labels = (name: string): Readonly<Record<string, string>> => ({ app: name });

const deployment = (name: string, replicas: number, limits: Readonly<Record<string, string>>): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: labels(name) },
    template: {
      metadata: { labels: labels(name) },
      spec: {
        containers: [
          {
            name: 'main',
            image: `registry.example/${name}:1.0`,
            ports: [{ containerPort: 8080 }],
            resources: { requests: limits, limits },
          },
        ],
      },
    },
  },
});

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'model', namespace },
  spec: { selector: labels(sides[0]), ports: [{ port: 80, targetPort: 8080 }] },
};

/** The shape of examples/llm-serving, as little of it as a hand-over needs. The first side serves. */
export const createWorkload = async (controlPlane: ControlPlane): Promise<void> => {
  const cards = { cpu: '1', memory: '1Gi', 'nvidia.com/gpu': '4' };
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const objects: readonly (readonly [path: string, object: object])[] = [
    ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }],
    [deployments, deployment(sides[0], 1, cards)],
    [deployments, deployment(sides[1], 0, cards)],
    [deployments, deployment('client', 1, {})],
    [`/api/v1/namespaces/${namespace}/services`, service],
  ];
  for (const [path, object] of objects) {
    const { status, body } = await controlPlane.request('POST', path, object);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
  }
};

/** Until the first side's pod is behind the Service and the client runs. */
export const untilServing = async (controlPlane: ControlPlane): Promise<void> => {
  const running = async (side: string): Promise<boolean> => {
    const query = `labelSelector=app%3D${side}&fieldSelector=status.phase%3DRunning`;
    const { body } = await controlPlane.request('GET', `/api/v1/namespaces/${namespace}/pods?${query}`);
    return (body as { readonly items: readonly unknown[] }).items.length > 0;
  };
  while (!((await running(sides[0])) && (await running('client')))) await new Promise((resolve) => setTimeout(resolve, 200));
};
