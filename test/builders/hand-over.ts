import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { asking, deployment, node, object, podOf, replicaSetOf, service, sliceOf } from './objects.ts';

export interface HandOverWish {
  readonly oldReplicas?: number;
  readonly newReplicas?: number;
  readonly selects?: 'old' | 'new';
  readonly devices?: number;
}

/** What both sides ask for: one card, so that on a node with one they cannot run side by side. */
export const oneCard = { cpu: 4, memory: '24Gi', 'nvidia.com/gpu': 1 };

export const oldSide = (replicas: number) => deployment('clef-serve', { replicas, podSpec: asking(oneCard) });
export const newSide = (replicas: number) => deployment('clef-candle', { replicas, podSpec: asking(oneCard) });

export const client = deployment('poimen-memory', { metadata: { namespace: 'poimen' } });

export const namespaces: readonly KubernetesObject[] = ['kube-system', 'llm-serving', 'poimen'].map((name) =>
  object(resources.namespaces, name, { metadata: { labels: { 'kubernetes.io/metadata.name': name } } }),
);

/** Service clef-serve, handed over from Deployment clef-serve to clef-candle: a cluster in which nothing stands in the way. */
export const handOver = ({
  oldReplicas = 1,
  newReplicas = 0,
  selects = 'old',
  devices = 1,
}: HandOverWish = {}): readonly KubernetesObject[] => {
  const old = oldSide(oldReplicas);
  const replacement = newSide(newReplicas);
  const oldPods = oldReplicas > 0 ? [podOf(old, 'x1')] : [];
  const newPods = newReplicas > 0 ? [podOf(replacement, 'n1')] : [];
  const front = service('clef-serve', { app: selects === 'old' ? 'clef-serve' : 'clef-candle' });
  return [
    node('worker-1', { cpu: 32, memory: '63495Mi', 'nvidia.com/gpu': devices, pods: 110 }),
    ...namespaces,
    ...[old, replacement, client].flatMap((workload) => [workload, replicaSetOf(workload)]),
    ...oldPods,
    ...newPods,
    podOf(client, 'c1'),
    front,
    sliceOf(front, selects === 'old' ? oldPods : newPods),
  ];
};

/** The world with some objects changed or added, by kind, namespace and name. */
export const withObjects = (world: readonly KubernetesObject[], ...changed: readonly KubernetesObject[]): readonly KubernetesObject[] => {
  const keys = new Set(changed.map(keyOf));
  return [...world.filter((candidate) => !keys.has(keyOf(candidate))), ...changed];
};

export const without = (world: readonly KubernetesObject[], kind: string, name: string): readonly KubernetesObject[] =>
  world.filter((candidate) => candidate.kind !== kind || candidate.metadata.name !== name);

const keyOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
