import { expect } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { contract } from '../contract.ts';
import { configMap, current, deployment, mergePatch, podOnNode, referTo, resources, service, written } from '../objects.ts';

contract('Generation', (behaviour) => {
  behaviour("a Deployment's moves with its spec and with its annotations, not with its labels", async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const reference = referTo(resources.deployments, namespace, 'a');
    const patch = (body: unknown): Promise<KubernetesObject> => cluster.patch(reference, mergePatch(body), written);
    expect((await cluster.create(resources.deployments, deployment(namespace, 'a'), written)).metadata.generation).toBe(1);
    expect((await patch({ spec: { minReadySeconds: 1 } })).metadata.generation).toBe(2);
    expect((await patch({ metadata: { annotations: { note: 'x' } } })).metadata.generation).toBe(3);
    expect((await patch({ metadata: { labels: { note: 'x' } } })).metadata.generation).toBe(3);
  });

  behaviour('a write of the status moves no generation', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.deployments, deployment(namespace, 'a', { paused: true }), written);
    const reference = referTo(resources.deployments, namespace, 'a');
    const status = {
      status: {
        conditions: [{ type: 'Contract', status: 'True', reason: 'Test', message: '', lastUpdateTime: null, lastTransitionTime: null }],
      },
    };
    expect((await cluster.patch(reference, mergePatch(status), { ...written, subresource: 'status' })).metadata.generation).toBe(1);
  });

  behaviour('Services and ConfigMaps carry none', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    expect((await cluster.create(resources.services, service(namespace, 'a'), written)).metadata).not.toHaveProperty('generation');
    expect((await cluster.create(resources.configMaps, configMap(namespace, 'a'), written)).metadata).not.toHaveProperty('generation');
  });

  behaviour("a pod's moves with its spec, and when its deletion begins", async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.pods, namespace, 'a');
    expect((await cluster.create(resources.pods, podOnNode(namespace, 'a'), written)).metadata.generation).toBe(1);
    const image = { type: 'strategic', body: { spec: { containers: [{ name: 'main', image: 'registry.example/server:2.0' }] } } } as const;
    expect((await cluster.patch(reference, image, written)).metadata.generation).toBe(2);
    expect((await cluster.patch(reference, mergePatch({ metadata: { labels: { note: 'x' } } }), written)).metadata.generation).toBe(2);
    await cluster.delete(reference);
    expect((await current(subject, reference)).metadata.generation).toBe(3);
  });

  behaviour("an EndpointSlice's and a NetworkPolicy's move with what they say", async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'a', namespace },
      addressType: 'IPv4',
      endpoints: [],
    };
    expect((await cluster.create(resources.endpointSlices, slice, written)).metadata.generation).toBe(1);
    const filled = mergePatch({ endpoints: [{ addresses: ['10.1.2.3'] }] });
    expect((await cluster.patch(referTo(resources.endpointSlices, namespace, 'a'), filled, written)).metadata.generation).toBe(2);

    const policy = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'a', namespace },
      spec: { podSelector: {} },
    };
    expect((await cluster.create(resources.networkPolicies, policy, written)).metadata.generation).toBe(1);
    const closed = mergePatch({ spec: { policyTypes: ['Ingress', 'Egress'] } });
    expect((await cluster.patch(referTo(resources.networkPolicies, namespace, 'a'), closed, written)).metadata.generation).toBe(2);
  });
});
