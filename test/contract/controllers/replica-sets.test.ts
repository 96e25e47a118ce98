import { expect } from 'vitest';
import { controllerOf, type KubernetesObject } from '../../../src/kubernetes/object.ts';
import { isTerminal, isTerminating } from '../../../src/kubernetes/pod.ts';
import { contract } from '../contract.ts';
import { resources } from '../objects.ts';
import { atWorkbench, conditionOf, isReady, ownerNameOf, server, template } from './workloads.ts';

contract('ReplicaSets', (behaviour) => {
  behaviour(
    'a pod that matches and has no owner is adopted, one that no longer matches is let go and replaced',
    atWorkbench(async (bench) => {
      await bench.create(resources.pods, { ...pod(bench.namespace, 'orphan', { app: 'a' }) });
      await bench.untilPod(isReady);
      const { metadata } = await bench.create(resources.replicaSets, replicaSet(bench.namespace, 'a', 1));
      const adopted = await bench.untilPod((found) => controllerOf(found) !== undefined);
      expect(adopted.metadata.name).toBe('orphan');
      expect(adopted.metadata.ownerReferences).toEqual([
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: metadata.uid, controller: true, blockOwnerDeletion: true },
      ]);
      await bench.patch(resources.pods, 'orphan', { type: 'merge', body: { metadata: { labels: { app: 'other' } } } });
      const pods = await bench.untilPods((found) => found.length === 2 && found.every(isReady));
      const released = pods.find((found) => found.metadata.name === 'orphan');
      expect(released?.metadata).not.toHaveProperty('ownerReferences');
      expect(pods.filter((found) => found !== released).map(ownerNameOf)).toEqual(['a']);
    }),
  );

  behaviour(
    'a Deployment adopts the ReplicaSet and through it the pods that match, without making them anew',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const first = await bench.untilPod(isReady);
      await bench.subject.cluster.delete(
        { resource: resources.deployments, namespace: bench.namespace, name: 'a' },
        { propagationPolicy: 'Orphan' },
      );
      await bench.untilReplicaSets(([only]) => only !== undefined && controllerOf(only) === undefined);
      await bench.untilNone(resources.deployments);
      const { metadata } = await bench.create(resources.deployments, server(bench.namespace, 'a'));
      await bench.untilReplicaSets(
        ([only, ...others]) => only !== undefined && others.length === 0 && controllerOf(only)?.uid === metadata.uid,
      );
      await bench.untilDeployment('a', (found) => found.status?.availableReplicas === 1);
      expect((await bench.pods()).map((found) => found.metadata.uid)).toEqual([first.metadata.uid]);
    }),
  );

  behaviour(
    'a pod that has ended or is deleted is replaced; an ended one stays',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { terminate: '2s' } }));
      const first = await bench.untilPod(isReady);
      await bench.patch(resources.pods, first.metadata.name, { type: 'merge', body: { status: { phase: 'Failed' } } }, 'status');
      const second = (await bench.untilPods((found) => found.some((candidate) => isReady(candidate) && !isTerminal(candidate)))).find(
        (found) => !isTerminal(found),
      );
      await bench.subject.cluster.delete({ resource: resources.pods, namespace: bench.namespace, name: second?.metadata.name ?? '' });
      const pods = await bench.untilPods(
        (found) => found.length === 3 && found.some((candidate) => isReady(candidate) && !isTerminal(candidate)),
      );
      expect(pods.filter(isTerminating).map((found) => found.metadata.uid)).toEqual([second?.metadata.uid]);
      expect(pods.filter(isTerminal).map((found) => found.metadata.uid)).toEqual([first.metadata.uid]);
    }),
  );

  behaviour(
    'of its pods it gives up those that are not ready first',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { replicas: 3 }));
      const pods = await bench.untilPods((found) => found.filter(isReady).length === 3);
      const unready = pods[1]?.metadata.name ?? '';
      await bench.patch(resources.pods, unready, {
        type: 'merge',
        body: { metadata: { annotations: { 'twin.poimen.dev/fail': 'never-ready' } } },
      });
      await bench.untilPods((found) => found.filter(isReady).length === 2);
      await bench.scale('a', 2);
      const left = await bench.untilPods((found) => found.length === 2);
      expect(left.map((found) => found.metadata.name)).not.toContain(unready);
    }),
  );

  behaviour(
    'and among ready ones those that say that they cost least',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { replicas: 3 }));
      const pods = await bench.untilPods((found) => found.filter(isReady).length === 3);
      const cheap = pods[2]?.metadata.name ?? '';
      await bench.patch(resources.pods, cheap, {
        type: 'merge',
        body: { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-1' } } },
      });
      await bench.scale('a', 2);
      const left = await bench.untilPods((found) => found.length === 2);
      expect(left.map((found) => found.metadata.name)).not.toContain(cheap);
    }),
  );

  behaviour(
    'a ready pod counts as available only after minReadySeconds',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { spec: { minReadySeconds: 2 } }));
      const { status } = await bench.untilDeployment('a', (found) => found.status?.readyReplicas === 1);
      expect(status).toMatchObject({ readyReplicas: 1, unavailableReplicas: 1 });
      expect(status).not.toHaveProperty('availableReplicas');
      await bench.untilDeployment('a', (found) => found.status?.availableReplicas === 1);
    }),
  );

  behaviour(
    'a quota that refuses its pods is named in its conditions, and in those of the Deployment, until it gives way',
    atWorkbench(async (bench) => {
      await bench.create(resources.resourceQuotas, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'cards', namespace: bench.namespace },
        spec: { hard: { 'requests.nvidia.com/gpu': '1', pods: '10' } },
      });
      await bench.until<KubernetesObject & { readonly status?: { readonly used?: unknown } }>(
        resources.resourceQuotas,
        'cards',
        ({ status }) => status?.used !== undefined,
      );
      await bench.create(resources.deployments, server(bench.namespace, 'a', { gpus: 2 }));
      const [refused] = await bench.untilReplicaSets(([only]) => conditionOf(only ?? {}, 'ReplicaFailure') !== undefined);
      const failure = conditionOf(refused ?? {}, 'ReplicaFailure');
      expect(failure).toMatchObject({ status: 'True', reason: 'FailedCreate' });
      expect(failure?.message).toMatch(
        /^pods "a-[a-z0-9]+-[a-z0-9]{5}" is forbidden: exceeded quota: cards, requested: requests\.nvidia\.com\/gpu=2, used: requests\.nvidia\.com\/gpu=0, limited: requests\.nvidia\.com\/gpu=1$/,
      );
      const deployment = await bench.untilDeployment('a', (found) => conditionOf(found, 'ReplicaFailure') !== undefined);
      expect(conditionOf(deployment, 'ReplicaFailure')).toMatchObject({
        status: 'True',
        reason: 'FailedCreate',
        message: failure?.message,
      });
      expect(await bench.pods()).toEqual([]);
      await bench.passes(500); // by then it is not looked at because of its own status any more
      await bench.patch(resources.resourceQuotas, 'cards', { type: 'merge', body: { spec: { hard: { 'requests.nvidia.com/gpu': '2' } } } });
      await bench.untilPod(isReady);
      await bench.untilDeployment(
        'a',
        (found) => conditionOf(found, 'ReplicaFailure') === undefined && found.status?.availableReplicas === 1,
      );
      const quota = await bench.until<KubernetesObject & { readonly status?: { readonly used?: { readonly pods?: string } } }>(
        resources.resourceQuotas,
        'cards',
        ({ status }) => status?.used?.pods === '1',
      );
      expect(quota.status).toMatchObject({ used: { pods: '1', 'requests.nvidia.com/gpu': '2' } });
    }),
  );

  behaviour(
    'a RuntimeClass that is not there turns pods away',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { pod: { runtimeClassName: 'missing' } }));
      const [refused] = await bench.untilReplicaSets(([only]) => conditionOf(only ?? {}, 'ReplicaFailure') !== undefined);
      expect(conditionOf(refused ?? {}, 'ReplicaFailure')?.message).toMatch(
        /^pods "a-[^"]+" is forbidden: pod rejected: RuntimeClass "missing" not found$/,
      );
    }),
  );

  behaviour(
    'and so does a PriorityClass',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { pod: { priorityClassName: 'missing' } }));
      const [refused] = await bench.untilReplicaSets(([only]) => conditionOf(only ?? {}, 'ReplicaFailure') !== undefined);
      expect(conditionOf(refused ?? {}, 'ReplicaFailure')?.message).toMatch(
        /^pods "a-[^"]+" is forbidden: no PriorityClass with name missing was found$/,
      );
    }),
  );
});

const pod = (namespace: string, name: string, labels: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels },
  spec: { containers: [{ name: 'server', image: 'registry.example/server:1.0' }] },
});

const replicaSet = (namespace: string, name: string, replicas: number): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name, namespace },
  spec: { replicas, selector: { matchLabels: { app: name } }, template: template(name, {}) },
});
