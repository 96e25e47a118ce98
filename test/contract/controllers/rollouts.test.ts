import { expect } from 'vitest';
import { wantedReplicas } from '../../../src/kubernetes/deployment.ts';
import { isTerminal, isTerminating, type Pod } from '../../../src/kubernetes/pod.ts';
import { revisionOf } from '../../../src/kubernetes/replica-set.ts';
import { contract } from '../contract.ts';
import { resources } from '../objects.ts';
import { atWorkbench, conditionOf, isReady, ownerNameOf, server, template, type ServerOptions, type Workbench } from './workloads.ts';

const renew = (bench: Workbench, options: ServerOptions = {}) =>
  bench.patch(resources.deployments, 'a', {
    type: 'merge',
    body: { spec: { template: template('a', { image: 'registry.example/server:2.0', ...options }) } },
  });

const isNew = ({ spec }: Pod): boolean => spec.containers[0]?.image === 'registry.example/server:2.0';

const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

contract('Rolling out a new template', (behaviour) => {
  behaviour(
    'Recreate makes no new pod while an old one is Terminating',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { terminate: '3s' } }));
      const old = await bench.untilPod(isReady);
      await renew(bench);
      await bench.untilPod(isTerminating);
      await bench.passes(1_500);
      expect((await bench.pods()).map(({ metadata }) => metadata.uid)).toEqual([old.metadata.uid]);
      await bench.untilGone(old.metadata.uid);
      const pod = await bench.untilPod(isReady);
      expect(isNew(pod)).toBe(true);
      const { metadata } = await bench.untilDeployment('a', (found) => found.status?.availableReplicas === 1);
      expect(revisionOf({ apiVersion: '', kind: '', metadata })).toBe(2);
    }),
  );

  behaviour(
    'Recreate does not wait for pods that have ended',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const ended = await bench.untilPod(isReady);
      await bench.patch(resources.pods, ended.metadata.name, { type: 'merge', body: { status: { phase: 'Failed' } } }, 'status');
      await bench.untilPods((pods) => pods.some((pod) => isReady(pod) && pod.metadata.uid !== ended.metadata.uid));
      await renew(bench);
      const pods = await bench.untilPods((found) => found.some((pod) => isNew(pod) && isReady(pod)));
      expect(pods.filter(isTerminal).map(({ metadata }) => metadata.uid)).toEqual([ended.metadata.uid]);
    }),
  );

  behaviour(
    'RollingUpdate makes the new pod first, and takes the old one away when it is ready',
    atWorkbench(async (bench) => {
      await bench.create(
        resources.deployments,
        server(bench.namespace, 'a', { spec: rolling(1, 0), script: { start: '1s', terminate: '2s' } }),
      );
      const old = await bench.untilPod(isReady);
      await renew(bench, { script: { start: '1s', terminate: '2s' } });
      const both = await bench.untilPods((pods) => pods.length === 2);
      expect(both.map(isTerminating)).toEqual([false, false]);
      const after = await bench.untilPods((pods) => pods.some(isTerminating));
      expect(after.filter(isReady).map(isNew)).toEqual([true]);
      await bench.untilGone(old.metadata.uid);
      expect(
        (await bench.untilDeployment('a', (found) => found.status?.updatedReplicas === 1 && found.status.replicas === 1)).status
          ?.availableReplicas,
      ).toBe(1);
    }),
  );

  for (const { strategy, sizes } of [
    { strategy: rolling('25%', '25%'), sizes: { new: 1, old: 3 } }, // 0.75 up to 1, and down to 0
    { strategy: rolling('50%', '50%'), sizes: { new: 3, old: 2 } }, // 1.5 up to 2, and down to 1
    { strategy: rolling(0, 2), sizes: { new: 2, old: 1 } },
    { strategy: rolling('0%', '1%'), sizes: { new: 1, old: 2 } }, // both 0: one may be missing after all
  ]) {
    const { maxSurge, maxUnavailable } = strategy.strategy.rollingUpdate;
    behaviour(
      `of three replicas, a rolling update with surge ${maxSurge} and unavailable ${maxUnavailable} stops at ${sizes.new} new and ${sizes.old} old ones while the new are not ready`,
      atWorkbench(async (bench) => {
        await bench.create(resources.deployments, server(bench.namespace, 'a', { replicas: 3, spec: strategy }));
        const [{ metadata: old } = { metadata: { name: '' } }] = await bench.untilReplicaSets(
          ([only]) => only?.status?.availableReplicas === 3,
        );
        await renew(bench, { script: { fail: 'never-ready' } });
        const sizeOf = (
          found: readonly { readonly metadata: { readonly name: string }; readonly spec: { readonly replicas?: number } }[],
          isOld: boolean,
        ): number =>
          found
            .filter(({ metadata }) => (metadata.name === old.name) === isOld)
            .reduce((total, replicaSet) => total + wantedReplicas(replicaSet), 0);
        await bench.untilReplicaSets(
          (found) => found.length === 2 && sizeOf(found, false) === sizes.new && sizeOf(found, true) === sizes.old,
        );
        await bench.passes(500);
        await bench.untilReplicaSets((found) => sizeOf(found, false) === sizes.new && sizeOf(found, true) === sizes.old);
        const { status } = await bench.untilDeployment(
          'a',
          (found) => found.status?.updatedReplicas === sizes.new && found.status.replicas === sizes.new + sizes.old,
        );
        expect(status).toMatchObject({ readyReplicas: sizes.old, availableReplicas: sizes.old, unavailableReplicas: sizes.new });
      }),
    );
  }

  behaviour(
    'one that makes no progress exceeds its deadline, and says so until it is through',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { spec: { progressDeadlineSeconds: 2 } }));
      await bench.untilPod(isReady);
      await renew(bench, { script: { fail: 'never-ready' } });
      const exceeded = await bench.untilDeployment('a', (found) => conditionOf(found, 'Progressing')?.status === 'False');
      const replicaSet = (await bench.untilReplicaSets((found) => found.length === 2)).find((found) => wantedReplicas(found) === 1);
      expect(conditionOf(exceeded, 'Progressing')).toMatchObject({
        reason: 'ProgressDeadlineExceeded',
        message: `ReplicaSet "${replicaSet?.metadata.name}" has timed out progressing.`,
      });
      const [pod] = await bench.pods();
      await bench.patch(resources.pods, pod?.metadata.name ?? '', {
        type: 'merge',
        body: { metadata: { annotations: { 'twin.poimen.dev/fail': null } } },
      });
      await bench.untilDeployment('a', (found) => conditionOf(found, 'Progressing')?.reason === 'NewReplicaSetAvailable');
    }),
  );

  behaviour(
    'back to an earlier template, its ReplicaSet is used again under a new revision, with its history',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const first = await bench.untilPod(isReady);
      await renew(bench);
      await bench.untilPod((pod) => isReady(pod) && isNew(pod));
      await renew(bench, { image: 'registry.example/server:1.0' });
      const back = await bench.untilPod((pod) => isReady(pod) && !isNew(pod));
      expect(ownerNameOf(back)).toBe(ownerNameOf(first));
      const replicaSets = await bench.untilReplicaSets((found) => found.some((replicaSet) => revisionOf(replicaSet) === 3));
      const annotations = replicaSets.find(({ metadata }) => metadata.name === ownerNameOf(first))?.metadata.annotations;
      expect(annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '3', 'deployment.kubernetes.io/revision-history': '1' });
      await bench.untilDeployment('a', (found) => revisionOf(found) === 3);
    }),
  );

  behaviour(
    'old ReplicaSets beyond the history limit are deleted when it is through',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { spec: { revisionHistoryLimit: 0 } }));
      const first = await bench.untilPod(isReady);
      await renew(bench);
      const [only] = await bench.untilReplicaSets(
        (found) => found.length === 1 && found.every(({ metadata }) => metadata.name !== ownerNameOf(first)),
      );
      expect(only?.spec.replicas).toBe(1);
    }),
  );

  behaviour(
    'annotations of the Deployment are copied to its ReplicaSet and start no rollout',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const pod = await bench.untilPod(isReady);
      await bench.patch(resources.deployments, 'a', {
        type: 'merge',
        body: { metadata: { annotations: { 'example.com/note': 'moved', 'kubectl.kubernetes.io/last-applied-configuration': '{}' } } },
      });
      const [replicaSet] = await bench.untilReplicaSets(([only]) => only?.metadata.annotations?.['example.com/note'] === 'moved');
      expect(replicaSet?.metadata.annotations).toEqual({
        'deployment.kubernetes.io/desired-replicas': '1',
        'deployment.kubernetes.io/max-replicas': '1',
        'deployment.kubernetes.io/revision': '1',
        'example.com/note': 'moved',
      });
      expect(replicaSet?.metadata.generation).toBe(1);
      await bench.untilDeployment('a', (found) => found.metadata.generation === 2);
      expect((await bench.pods()).map(({ metadata }) => metadata.uid)).toEqual([pod.metadata.uid]);
    }),
  );

  behaviour(
    'scaled in the middle of a rolling update, old and new grow in proportion',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a', { replicas: 4, spec: rolling(2, 1) }));
      const [first] = await bench.untilReplicaSets(([only]) => only?.status?.availableReplicas === 4);
      await renew(bench, { script: { fail: 'never-ready' } });
      await bench.untilReplicaSets((found) => found.length === 2 && found.every((replicaSet) => wantedReplicas(replicaSet) === 3));
      await bench.scale('a', 10);
      const replicaSets = await bench.untilReplicaSets(
        (found) => found.reduce((total, replicaSet) => total + wantedReplicas(replicaSet), 0) === 12,
      );
      const sizes = replicaSets.map((replicaSet) => [
        replicaSet.metadata.name === first?.metadata.name ? 'old' : 'new',
        wantedReplicas(replicaSet),
      ]);
      expect(Object.fromEntries(sizes)).toEqual({ old: 6, new: 6 });
    }),
  );
});
