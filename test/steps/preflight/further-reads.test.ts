import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { selectionKey } from '../../../src/kubernetes/reference.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { allAutoscalers } from '../../../src/steps/preflight/wide-reads.ts';
import { preflight } from '../../../src/steps/preflight/preflight.ts';
import { everyPod, podsIn, podsOn, unboundPods } from '../../../src/steps/selections.ts';
import { accessTo, observe, type StateWish } from '../../builders/cluster-state.ts';
import { handOver, newSide, oneCard, withObjects, without } from '../../builders/hand-over.ts';
import { asking, barePod, deployment, deploymentRef, node, object, serviceRef } from '../../builders/objects.ts';

const input: Parameters<typeof preflight.plan>[0] = {
  service: serviceRef('clef-serve'),
  from: deploymentRef('clef-serve'),
  to: deploymentRef('clef-candle'),
  client: deploymentRef('poimen-memory', 'poimen'),
  replicas: 1,
};

/** What is read because of the objects, beyond what is read of any cluster. */
const furtherReads = (objects: readonly KubernetesObject[]): readonly string[] => {
  const always = new Set(preflight.access(input).once?.map(selectionKey));
  const all = (accessTo(preflight, input, objects).once ?? []).map(selectionKey);
  return all.filter((key) => !always.has(key)).toSorted();
};
const decide = (objects: readonly KubernetesObject[], wish?: StateWish) => preflight.plan(input, observe(preflight, input, objects, wish));
const codes = (...args: Parameters<typeof decide>): readonly string[] => {
  const decision = decide(...args);
  return decision.kind === 'blocked' ? decision.blockers.map(({ code }) => code) : [];
};

const world = handOver();
const gpuNode = { cpu: 32, memory: '63495Mi', 'nvidia.com/gpu': 1, pods: 110 };
/** `worker-1` and five more with a card each. */
const manyNodes = withObjects(world, ...[2, 3, 4, 5, 6].map((number) => node(`worker-${number}`, gpuNode)));
const trainer = barePod('trainer', {
  metadata: { namespace: 'batch' },
  spec: { ...asking(oneCard), nodeName: '' },
  status: { phase: 'Pending' },
});
const on = (nodeName: string, name = `busy-${nodeName}`) =>
  barePod(name, { metadata: { namespace: 'batch' }, spec: { ...asking(oneCard), nodeName } });

describe('what the preflight reads of other namespaces', () => {
  it('is who runs on the nodes that the new pods could go to, and who waits for one', () => {
    const cardless = node('worker-2', { cpu: 32, memory: '63495Mi', pods: 110 });
    expect(furtherReads(withObjects(world, cardless))).toEqual([podsOn('worker-1'), unboundPods].map(selectionKey).toSorted());
  });

  it('is nothing for pods that have their node already, or that could go to none', () => {
    expect(furtherReads(handOver({ oldReplicas: 0, newReplicas: 1 }))).toEqual([]);
    expect(furtherReads(withObjects(world, node('worker-1', gpuNode, { spec: { unschedulable: true } })))).toEqual([]);
  });

  it('is, of a kind whose object is missing, all of its names', () => {
    expect(furtherReads(without(world, 'Service', 'clef-serve'))).toContain(selectionKey({ resource: resources.services }));
    expect(furtherReads(without(world, 'Deployment', 'clef-serve'))).toEqual([selectionKey({ resource: resources.deployments })]);
  });

  describe('where many nodes would do', () => {
    it('is who runs on those that the old pods leave, when that is enough', () => {
      expect(furtherReads(manyNodes)).toEqual([podsOn('worker-1'), unboundPods].map(selectionKey).toSorted());
      expect(codes(manyNodes)).toEqual([]);
    });

    it('is every pod when it is not, and then the verdict is that of the whole cluster', () => {
      const rivalled = withObjects(manyNodes, trainer);
      expect(furtherReads(rivalled)).toContain(selectionKey(everyPod));
      expect(codes(rivalled)).toEqual([]);
      const full = withObjects(rivalled, ...[2, 3, 4, 5, 6].map((number) => on(`worker-${number}`)));
      expect(codes(full)).toEqual(['PendingPodCouldTakeDevice']);
    });

    it('is every pod when the old ones are gone already', () => {
      const gone = handOver({ oldReplicas: 0 });
      const several = withObjects(gone, ...[2, 3, 4, 5, 6].map((number) => node(`worker-${number}`, gpuNode)));
      expect(furtherReads(several)).toEqual([everyPod, unboundPods].map(selectionKey).toSorted());
      const full = [1, 2, 3, 4, 5, 6].map((number) => on(`worker-${number}`));
      expect(decide(withObjects(several, ...full))).toMatchObject({
        blockers: [{ code: 'NoNodeFits', reason: expect.stringContaining('(held: batch/busy-worker-1 1)') }],
      });
    });
  });

  describe('of the workloads that somebody scales', () => {
    const scaled = (name: string) => [
      deployment(name, { replicas: 0, metadata: { namespace: 'batch' }, podSpec: asking(oneCard) }),
      object(resources.scaledObjects, name, { metadata: { namespace: 'batch' }, spec: { scaleTargetRef: { name } } }),
    ];
    const byName = (name: string) =>
      selectionKey({ resource: resources.deployments, namespace: 'batch', fieldSelector: `metadata.name=${name}` });

    it('is each of a few, by name', () => {
      const few = withObjects(world, ...scaled('vision'), ...scaled('speech'));
      expect(furtherReads(few)).toEqual(expect.arrayContaining([byName('vision'), byName('speech')]));
      expect(codes(few)).toEqual(['ParkedWorkloadCouldTakeDevice']);
    });

    it('is all of their kind where they are many', () => {
      const many = withObjects(world, ...['a', 'b', 'c', 'd', 'e'].flatMap(scaled));
      expect(furtherReads(many)).toContain(selectionKey({ resource: resources.deployments }));
      expect(codes(many)).toContain('ParkedWorkloadCouldTakeDevice');
    });

    it('is nothing for a new side that asks for no device', () => {
      const plain = deployment('clef-candle', { replicas: 0, podSpec: asking({ cpu: 1 }) });
      expect(furtherReads(withObjects(world, plain, ...scaled('vision')))).not.toContain(byName('vision'));
    });
  });
});

describe('what may not be read', () => {
  const forbidden = (...keys: readonly string[]): StateWish => ({ unavailable: Object.fromEntries(keys.map((key) => [key, 'forbidden'])) });
  const unanswered = (...keys: readonly string[]): StateWish => ({
    unavailable: Object.fromEntries(keys.map((key) => [key, 'unanswered'])),
  });

  it('of other namespaces is said, and does not stand in the way of who may work in one only', () => {
    const blind = forbidden(...[podsOn('worker-1'), unboundPods, allAutoscalers].map(selectionKey));
    expect(decide(withObjects(world, trainer), blind)).toEqual({
      kind: 'satisfied',
      warnings: [
        'nobody knows whether pods of other namespaces leave the new ones room, or could take it: pods is forbidden; a ClusterRole that allows to list pods in all namespaces would tell',
        'nobody knows whether a workload of another namespace could be scaled up and take the devices: horizontalpodautoscalers is forbidden; a ClusterRole that allows to list horizontalpodautoscalers.autoscaling in all namespaces would tell',
      ],
    });
  });

  it('because the server had no answer is said in the same way, without a rule that would not help', () => {
    const silent = unanswered(selectionKey(allAutoscalers));
    expect(decide(world, silent)).toEqual({
      kind: 'satisfied',
      warnings: [
        'nobody knows whether a workload of another namespace could be scaled up and take the devices: horizontalpodautoscalers.autoscaling could not be asked: horizontalpodautoscalers is unanswered',
      ],
    });
  });

  it('of a workload that somebody scales elsewhere is said', () => {
    const hpa = object(resources.horizontalPodAutoscalers, 'vision', {
      metadata: { namespace: 'elsewhere' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'vision' }, maxReplicas: 2 },
    });
    const vision = selectionKey({ resource: resources.deployments, namespace: 'elsewhere', fieldSelector: 'metadata.name=vision' });
    expect(decide(withObjects(world, hpa), forbidden(vision))).toMatchObject({
      kind: 'satisfied',
      warnings: [
        expect.stringMatching(/^nobody knows whether a workload of another namespace could be scaled up and take the devices: deployments/),
      ],
    });
  });

  it('of its own namespace is read there: an autoscaler of the new side is found without those of others', () => {
    const hpa = object(resources.horizontalPodAutoscalers, 'candle', {
      spec: { scaleTargetRef: { kind: 'Deployment', name: newSide(0).metadata.name }, maxReplicas: 2 },
    });
    expect(codes(withObjects(world, hpa), forbidden(selectionKey(allAutoscalers)))).toEqual(['ScaledByAutoscaler']);
  });

  it('of cluster-wide policies leaves it open whether the path is, unless others deny it anyway', () => {
    expect(decide(world, forbidden('AdminNetworkPolicy'))).toEqual({
      kind: 'satisfied',
      warnings: [
        'whether the policies let deployment/poimen-memory.poimen to a pod of deployment/clef-candle.llm-serving on TCP 8080 cannot be said: cluster-wide policies may deny it, which this user may not look at: adminnetworkpolicies is forbidden',
      ],
    });
    expect(decide(world, unanswered('AdminNetworkPolicy'))).toEqual({
      kind: 'satisfied',
      warnings: [
        'whether the policies let deployment/poimen-memory.poimen to a pod of deployment/clef-candle.llm-serving on TCP 8080 cannot be said: cluster-wide policies may deny it: adminnetworkpolicies.policy.networking.k8s.io could not be asked: adminnetworkpolicies is unanswered',
      ],
    });
    const deny = object(resources.networkPolicies, 'deny', { spec: { podSelector: {}, policyTypes: ['Ingress'] } });
    expect(codes(withObjects(world, deny), forbidden('AdminNetworkPolicy'))).toEqual(['PathDenied']);
    expect(decide(world, { unavailable: { AdminNetworkPolicy: 'notServed' } })).toEqual({ kind: 'satisfied', warnings: [] });
  });

  it("of the client's namespace is no client that does not run", () => {
    expect(codes(world, forbidden(selectionKey(podsIn('poimen'))))).toEqual(['ForbiddenToLook']);
  });
});
