import { expect } from 'vitest';
import { isTerminating } from '../../../src/kubernetes/pod.ts';
import { contract } from '../contract.ts';
import { resources } from '../objects.ts';
import { atWorkbench, conditionOf, isReady, isUnschedulable, ownerNameOf, server } from './workloads.ts';

contract('Scaling a Deployment', (behaviour) => {
  behaviour(
    'its pods become ready and are counted',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { replicas: 2 }));
      const { status } = await bench.untilDeployment('a', (found) => found.status?.availableReplicas === 2);
      expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 });
      expect(status).not.toHaveProperty('unavailableReplicas');
      expect(conditionOf({ status: status ?? {} }, 'Available')).toMatchObject({ status: 'True', reason: 'MinimumReplicasAvailable' });
      expect(conditionOf({ status: status ?? {} }, 'Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
    }),
  );

  behaviour(
    'at 0 it counts no replicas and is Available, while its pod is still Terminating and serves',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { terminate: '3s' } }));
      const pod = await bench.untilPod(isReady);
      await bench.scale('a', 0);
      const { status, metadata } = await bench.untilDeployment('a', (found) => (found.status?.replicas ?? 0) === 0);
      expect(status).toEqual({ observedGeneration: metadata.generation, conditions: expect.any(Array) as unknown });
      expect(conditionOf({ status: status ?? {} }, 'Available')).toMatchObject({ status: 'True', reason: 'MinimumReplicasAvailable' });
      const [leaving] = await bench.pods();
      expect(leaving?.metadata.uid).toBe(pod.metadata.uid);
      expect(leaving?.metadata.deletionTimestamp).toBeDefined();
      expect(leaving?.metadata.deletionGracePeriodSeconds).toBe(30);
      expect(conditionOf(leaving ?? pod, 'Ready')).toMatchObject({ status: 'True' });
      expect(leaving?.status?.phase).toBe('Running');
    }),
  );

  behaviour(
    'its ReplicaSet counts no replicas either, and stays',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { terminate: '2s' } }));
      const pod = await bench.untilPod(isReady);
      await bench.scale('a', 0);
      const [replicaSet] = await bench.untilReplicaSets(([only]) => only?.spec.replicas === 0 && only.status?.replicas === 0);
      expect(replicaSet?.status).toEqual({ replicas: 0, observedGeneration: replicaSet?.metadata.generation });
      expect(replicaSet?.metadata.name).toBe(ownerNameOf(pod));
    }),
  );

  behaviour(
    'the pod is absent, by UID, once it has terminated, and from the start where there was none',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'parked', { replicas: 0 }));
      await bench.untilDeployment('parked', () => true);
      expect(await bench.pods()).toEqual([]);
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { terminate: '1s' } }));
      const { metadata } = await bench.untilPod(isReady);
      await bench.scale('a', 0);
      await bench.untilPods(([leaving]) => leaving !== undefined && isTerminating(leaving));
      await bench.untilGone(metadata.uid);
      expect(await bench.pods()).toEqual([]);
    }),
  );

  behaviour(
    'back at 1 it makes a new pod from the same ReplicaSet, in the same revision, without a rollout',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const first = await bench.untilPod(isReady);
      await bench.scale('a', 0);
      await bench.untilGone(first.metadata.uid);
      await bench.scale('a', 1);
      const second = await bench.untilPod(isReady);
      expect(second.metadata.uid).not.toBe(first.metadata.uid);
      expect(second.metadata.name).not.toBe(first.metadata.name);
      expect(ownerNameOf(second)).toBe(ownerNameOf(first));
      const { metadata } = await bench.untilDeployment('a', (found) => found.status?.availableReplicas === 1);
      expect(metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1');
    }),
  );

  behaviour(
    "the revision is written without moving the Deployment's generation",
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const { metadata } = await bench.untilDeployment(
        'a',
        (found) => found.metadata.annotations?.['deployment.kubernetes.io/revision'] === '1',
      );
      expect(metadata.generation).toBe(1);
    }),
  );

  behaviour(
    'a Terminating pod is replaced at once when it is scaled up again',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { terminate: '3s' } }));
      const first = await bench.untilPod(isReady);
      await bench.scale('a', 0);
      await bench.untilDeployment('a', (found) => (found.status?.replicas ?? 0) === 0);
      await bench.scale('a', 1);
      const pods = await bench.untilPods((found) => found.some(isReady));
      expect(pods.map(({ metadata }) => metadata.uid)).toContain(first.metadata.uid);
    }),
  );

  behaviour(
    'from 0 to 1 a pod that cannot be scheduled never makes the progress deadline count',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { gpus: 4, spec: { progressDeadlineSeconds: 1 } }));
      const first = await bench.untilPod(isReady);
      await bench.scale('a', 0);
      await bench.untilGone(first.metadata.uid);
      await bench.create(resources.deployments, server(bench.namespace, 'taker', { gpus: 1 }));
      await bench.untilPod(isReady);
      await bench.scale('a', 1);
      await bench.untilPods((pods) => pods.some(isUnschedulable));
      await bench.passes(4_000);
      const { status = {} } = await bench.get<{
        apiVersion: string;
        kind: string;
        metadata: { name: string };
        status?: { conditions?: [] };
      }>(resources.deployments, 'a');
      expect(conditionOf({ status }, 'Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
      expect(conditionOf({ status }, 'Available')).toMatchObject({ status: 'False', reason: 'MinimumReplicasUnavailable' });
    }),
  );

  behaviour(
    'paused, it is scaled all the same, but a new template waits',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const first = await bench.untilPod(isReady);
      await bench.patch(resources.deployments, 'a', {
        type: 'strategic',
        body: {
          spec: {
            paused: true,
            replicas: 2,
            template: { spec: { containers: [{ name: 'server', image: 'registry.example/server:2.0' }] } },
          },
        },
      });
      const pods = await bench.untilPods((found) => found.filter(isReady).length === 2);
      expect(pods.map(ownerNameOf)).toEqual([ownerNameOf(first), ownerNameOf(first)]);
      const paused = await bench.untilDeployment('a', (found) => conditionOf(found, 'Progressing')?.reason === 'DeploymentPaused');
      expect(conditionOf(paused, 'Progressing')).toMatchObject({ status: 'Unknown', message: 'Deployment is paused' });
      await bench.patch(resources.deployments, 'a', { type: 'merge', body: { spec: { paused: false } } });
      const renewed = await bench.untilPods(
        (found) => found.length === 2 && found.every((pod) => isReady(pod) && ownerNameOf(pod) !== ownerNameOf(first)),
      );
      expect(renewed.map(({ spec }) => spec.containers[0]?.image)).toEqual(['registry.example/server:2.0', 'registry.example/server:2.0']);
    }),
  );
});
