import { expect } from 'vitest';
import { isPodReady, isTerminating, podCondition } from '../../../src/kubernetes/pod.ts';
import { contract } from '../contract.ts';
import { referTo, resources } from '../objects.ts';
import { atWorkbench, isReady, server, waitingReasonOf } from './workloads.ts';

const image = 'registry.example/server:1.0';

contract('The life of a pod', (behaviour) => {
  behaviour(
    'it is pulled, runs, and is ready: with address, node, image and times',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { pull: '1s', start: '2s' } }));
      const pulling = await bench.untilPod((pod) => waitingReasonOf(pod) === 'ContainerCreating');
      expect(pulling.status).toMatchObject({ phase: 'Pending', podIP: expect.any(String) as unknown });
      const running = await bench.untilPod(({ status }) => status?.phase === 'Running');
      expect(podCondition(running, 'Ready')).toMatchObject({
        status: 'False',
        reason: 'ContainersNotReady',
        message: 'containers with unready status: [server]',
      });
      const { status, spec } = await bench.untilPod(isReady);
      expect(spec.nodeName).toBe('worker-1');
      expect(status?.podIPs).toEqual([{ ip: status?.podIP }]);
      expect(status?.hostIPs).toEqual([{ ip: status?.hostIP }]);
      expect(status?.containerStatuses?.[0]).toMatchObject({
        name: 'server',
        image,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: {} },
      });
      expect(status?.containerStatuses?.[0]?.imageID).toMatch(/^registry\.example\/server@sha256:[0-9a-f]{64}$/);
      const readySince = Date.parse(status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '');
      const runningSince = Date.parse(status?.containerStatuses?.[0]?.state?.running?.startedAt ?? '');
      expect(readySince - runningSince).toBeGreaterThanOrEqual(1_000); // whole seconds
    }),
  );

  for (const [fail, words] of [
    ['image-not-found', /: not found$/],
    ['unauthorized', /authorization failed/],
    ['registry-unavailable', /connection refused$/],
  ] as const) {
    behaviour(
      `an image that cannot be pulled (${fail}) is tried again and again, with the reason`,
      atWorkbench(async (bench) => {
        await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { fail } }));
        const first = await bench.untilPod((pod) => waitingReasonOf(pod) === 'ErrImagePull');
        expect(first.status?.containerStatuses?.[0]?.state?.waiting?.message).toMatch(words);
        const later = await bench.untilPod((pod) => waitingReasonOf(pod) === 'ImagePullBackOff');
        expect(later.status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
          `Back-off pulling image "${image}": ErrImagePull: ${first.status?.containerStatuses?.[0]?.state?.waiting?.message}`,
        );
        expect(later.status?.phase).toBe('Pending');
        expect(later.spec.nodeName).toBe('worker-1');
      }),
    );
  }

  behaviour(
    'a container that crashes is restarted, later and later, and is never ready',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { fail: 'crash-loop', start: '1m' } }));
      const pod = await bench.untilPod((found) => waitingReasonOf(found) === 'CrashLoopBackOff');
      const status = pod.status?.containerStatuses?.[0];
      expect(status).toMatchObject({
        restartCount: 1,
        ready: false,
        started: false,
        lastState: { terminated: { exitCode: 1, reason: 'Error' } },
      });
      expect(status?.state?.waiting?.message).toBe(
        `back-off 10s restarting failed container=server pod=${pod.metadata.name}_${bench.namespace}(${pod.metadata.uid})`,
      );
      expect(pod.status?.phase).toBe('Running');
      expect(isPodReady(pod)).toBe(false);
    }),
  );

  behaviour(
    'a container whose configuration is missing is not created',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { fail: 'config-error' } }));
      const pod = await bench.untilPod((found) => waitingReasonOf(found) === 'CreateContainerConfigError');
      expect(pod.status?.phase).toBe('Pending');
      expect(pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toBe('secret "missing" not found');
    }),
  );

  behaviour(
    'a pod that is never ready runs, and its Deployment is not available',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { fail: 'never-ready' } }));
      await bench.untilPod(({ status }) => status?.phase === 'Running');
      await bench.passes(1_000);
      const pod = await bench.untilPod(() => true);
      expect(podCondition(pod, 'ContainersReady')).toMatchObject({ status: 'False' });
      const { status } = await bench.untilDeployment('a', (found) => found.status?.unavailableReplicas === 1);
      expect(status).toMatchObject({ replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 });
    }),
  );

  behaviour(
    'a readiness gate keeps a pod from being ready until its condition is True',
    atWorkbench(async (bench) => {
      const conditionType = 'example.com/warm';
      await bench.create(resources.deployments, server(bench.namespace, 'a', { pod: { readinessGates: [{ conditionType }] } }));
      const gated = await bench.untilPod((pod) => podCondition(pod, 'ContainersReady')?.status === 'True');
      expect(podCondition(gated, 'Ready')).toMatchObject({
        status: 'False',
        reason: 'ReadinessGatesNotReady',
        message: `corresponding condition of pod readiness gate "${conditionType}" does not exist.`,
      });
      const open = { type: 'strategic', body: { status: { conditions: [{ type: conditionType, status: 'True' }] } } } as const;
      await bench.patch(resources.pods, gated.metadata.name, open, 'status');
      await bench.untilPod((pod) => podCondition(pod, 'Ready')?.status === 'True');
      const shut = { type: 'strategic', body: { status: { conditions: [{ type: conditionType, status: 'False' }] } } } as const;
      await bench.patch(resources.pods, gated.metadata.name, shut, 'status');
      await bench.untilPod((pod) => podCondition(pod, 'Ready')?.status === 'False');
    }),
  );

  behaviour(
    'a pod that does not end stays Terminating, a second deletion changes nothing, and only grace 0 takes it away',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { gpus: 1, script: { terminate: 'never' } }));
      const { metadata } = await bench.untilPod(isReady);
      await bench.scale('a', 0);
      await bench.untilPod(isTerminating);
      await bench.subject.cluster.delete(referTo(resources.pods, bench.namespace, metadata.name));
      await bench.passes(2_000);
      const stuck = await bench.untilPod(() => true);
      expect(stuck.metadata.uid).toBe(metadata.uid);
      await bench.subject.cluster.delete(referTo(resources.pods, bench.namespace, metadata.name), { gracePeriodSeconds: 0 });
      expect(await bench.pods()).toEqual([]);
    }),
  );

  behaviour(
    'a ready pod can stop being ready',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const pod = await bench.untilPod(isReady);
      await bench.patch(resources.pods, pod.metadata.name, {
        type: 'merge',
        body: { metadata: { annotations: { 'twin.poimen.dev/fail': 'never-ready' } } },
      });
      const unready = await bench.untilPod((found) => podCondition(found, 'Ready')?.status === 'False');
      expect(unready.status?.containerStatuses?.[0]).toMatchObject({ ready: false, started: true });
      await bench.untilDeployment('a', (found) => (found.status?.readyReplicas ?? 0) === 0);
      await bench.patch(resources.pods, pod.metadata.name, {
        type: 'merge',
        body: { metadata: { annotations: { 'twin.poimen.dev/fail': null } } },
      });
      await bench.untilPod(isReady);
    }),
  );
});
