import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { backendsOf } from '../../src/network/inventory/backends.ts';
import { takeInventory } from '../../src/network/inventory/inventory.ts';
import { keepForNetwork } from '../../src/operations/keep-for-network.ts';

/** As a server sends it, with much that nobody asks for. */
const pod = (
  name: string,
  more: { readonly spec?: object; readonly status?: object; readonly metadata?: object } = {},
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-${name}`,
    labels: { app: 'web', 'pod-template-hash': 'abc' },
    annotations: { note: 'x'.repeat(500) },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-abc', uid: 'rs', controller: true }],
    managedFields: [{ manager: 'kubelet' }],
    ...more.metadata,
  },
  spec: {
    nodeName: 'n1',
    containers: [
      { name: 'main', image: 'x', env: [{ name: 'A', value: 'b' }], ports: [{ name: 'http', containerPort: 8080, hostPort: 80 }] },
    ],
    initContainers: [{ name: 'proxy', restartPolicy: 'Always', ports: [{ name: 'admin', containerPort: 9000 }] }],
    readinessGates: [{ conditionType: 'example.org/gate' }],
    volumes: [{ name: 'v' }],
    ...more.spec,
  },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }],
    hostIP: '192.168.0.1',
    hostIPs: [{ ip: '192.168.0.1' }, { ip: 'fd01::1' }],
    conditions: ['Ready', 'example.org/gate', 'PodScheduled'].map((type) => ({ type, status: 'True', lastTransitionTime: 'x' })),
    containerStatuses: [{ name: 'main', ready: true }],
    ...more.status,
  },
});

const objects: readonly KubernetesObject[] = [
  pod('plain'),
  pod('dual', { status: { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } }),
  pod('gated', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
  pod('leaving', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
  pod('done', { status: { phase: 'Succeeded' } }),
  pod('host', { spec: { hostNetwork: true, readinessGates: undefined, initContainers: undefined } }),
  pod('bare', { metadata: { ownerReferences: undefined, labels: undefined } }),
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { matchLabels: { app: 'web' } } },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'front', namespace: 'shop', annotations: { a: 'b' } },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
  },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'a' }, managedFields: [{}] } },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'p', namespace: 'shop', annotations: { owner: 'me' } },
    spec: { podSelector: {}, ingress: [{}] },
  },
];

/** Everything that anything below is told of pods, and what a Service finds behind it. */
const seen = (given: readonly KubernetesObject[]) => {
  const { peers, services, policies, entrances } = takeInventory(given.map((object) => ({ object })));
  const [service] = services;
  return {
    peers: peers.map(({ id, podCount, selector, pods }) => [
      id,
      podCount,
      selector,
      pods.map(({ peer, owners, hostPorts }) => [peer, owners, hostPorts]),
    ]),
    backends:
      service === undefined
        ? []
        : backendsOf(service, 80, 'TCP', peers).map(({ peer, port, state, nodeName }) => [peer, port, state, nodeName]),
    policies,
    entrances,
  };
};

describe('what is kept of a cluster', () => {
  it('means the same for the network as all of it', () => {
    expect(seen(objects.map(keepForNetwork()))).toEqual(seen(objects));
    expect(seen(objects).backends.map(([, , state]) => state)).toEqual(['ready', 'ready', 'notReady', 'terminating', 'ready']);
  });

  it('keeps once what pods have in common, and nothing that is not asked for', () => {
    const keep = keepForNetwork();
    const [a, b] = [keep(pod('a')), keep(pod('b'))];
    expect(a.metadata.labels).toBe(b.metadata.labels);
    expect(a.metadata.ownerReferences).toBe(b.metadata.ownerReferences);
    expect(JSON.stringify(a).length).toBeLessThan(JSON.stringify(pod('a')).length / 2);
  });
});
