import { expect } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { isTerminating, podCondition, type Pod } from '../../../src/kubernetes/pod.ts';
import { contract } from '../contract.ts';
import { resources, written } from '../objects.ts';
import type { Subject } from '../subjects.ts';
import { atWorkbench, isReady, isUnschedulable, server } from './workloads.ts';

const reasonOf = (pod: Pod): string | undefined => podCondition(pod, 'PodScheduled')?.message;

const noVictims = 'no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';
const noHelp = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';

const worker = { resource: resources.nodes, name: 'worker-1' };

/** Changes the spec of the node while something is done, and takes it back. */
const withNodeSpec = async ({ cluster }: Subject, spec: Readonly<Record<string, unknown>>, work: () => Promise<void>): Promise<void> => {
  await cluster.patch(worker, { type: 'merge', body: { spec } }, written);
  try {
    await work();
  } finally {
    await cluster.patch(
      worker,
      { type: 'merge', body: { spec: Object.fromEntries(Object.keys(spec).map((key) => [key, null])) } },
      written,
    );
  }
};

contract('Scheduling', (behaviour) => {
  behaviour(
    'a pod that needs a booked card waits, and says why, until the pod that holds it is gone',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'old', { gpus: 4, script: { terminate: '3s' } }));
      const old = await bench.untilPod(isReady);
      await bench.create(resources.deployments, server(bench.namespace, 'new', { gpus: 1 }));
      const waiting = (await bench.untilPods((pods) => pods.some(isUnschedulable))).find(isUnschedulable);
      expect(waiting?.status?.phase).toBe('Pending');
      expect(waiting?.spec.nodeName).toBeUndefined();
      expect(waiting === undefined ? undefined : reasonOf(waiting)).toBe(
        `0/1 nodes are available: 1 Insufficient nvidia.com/gpu. ${noVictims}`,
      );

      await bench.scale('old', 0);
      await bench.untilPods((pods) => pods.some(isTerminating));
      await bench.create(resources.deployments, server(bench.namespace, 'third', { gpus: 1 })); // so that somebody looks for a node
      await bench.passes(1_500);
      const meanwhile = await bench.pods();
      expect(meanwhile.map(({ metadata, spec }) => [metadata.labels?.app, spec.nodeName]).toSorted()).toEqual([
        ['new', undefined],
        ['old', 'worker-1'],
        ['third', undefined],
      ]);
      await bench.untilGone(old.metadata.uid);
      const [pod] = await bench.untilPods((pods) => pods.every(isReady));
      expect(pod?.metadata.uid).toBe(waiting?.metadata.uid);
      expect(pod === undefined ? undefined : podCondition(pod, 'PodScheduled')).toMatchObject({ status: 'True' });
    }),
  );

  behaviour(
    'a pod that has ended holds no card',
    atWorkbench(async (bench) => {
      await bench.create(resources.pods, {
        ...barePod(bench.namespace, 'ended', {
          containers: [{ name: 'c', image: 'registry.example/c:1', resources: { limits: { 'nvidia.com/gpu': '4' } } }],
        }),
      });
      await bench.untilPod(isReady);
      await bench.patch(resources.pods, 'ended', { type: 'merge', body: { status: { phase: 'Failed' } } }, 'status');
      await bench.create(resources.deployments, server(bench.namespace, 'new', { gpus: 4 }));
      await bench.untilPods((pods) => pods.some(({ metadata, spec }) => metadata.labels?.app === 'new' && spec.nodeName === 'worker-1'));
    }),
  );

  behaviour(
    'memory counts as cards do, and what no node has, is told apart',
    atWorkbench(async (bench) => {
      const container = (memory: string, limits = {}) => ({ resources: { requests: { memory }, limits } });
      await bench.create(resources.deployments, server(bench.namespace, 'large', { container: container('40Gi') }));
      await bench.untilPod(isReady);
      await bench.create(resources.deployments, server(bench.namespace, 'more', { container: container('24Gi') }));
      await bench.create(
        resources.deployments,
        server(bench.namespace, 'huge', { container: container('64Gi', { 'nvidia.com/gpu': '5' }) }),
      );
      const pods = await bench.untilPods((found) => found.filter(isUnschedulable).length === 2);
      const reasons = Object.fromEntries(pods.filter(isUnschedulable).map((pod) => [pod.metadata.labels?.app, reasonOf(pod)]));
      expect(reasons).toEqual({
        more: `0/1 nodes are available: 1 Insufficient memory. ${noVictims}`,
        huge: `0/1 nodes are available: 1 Insufficient memory, 1 Insufficient nvidia.com/gpu. no new claims to deallocate, ${noHelp}`,
      });
    }),
  );

  behaviour(
    'a cordoned node takes no new pod and keeps those that it has',
    atWorkbench(async (bench) => {
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const first = await bench.untilPod(isReady);
      await withNodeSpec(bench.subject, { unschedulable: true }, async () => {
        await bench.create(resources.deployments, server(bench.namespace, 'b'));
        const pods = await bench.untilPods((found) => found.some(isUnschedulable));
        expect(pods.filter(isUnschedulable).map(reasonOf)).toEqual([
          `0/1 nodes are available: 1 node(s) were unschedulable. no new claims to deallocate, ${noHelp}`,
        ]);
        expect(pods.filter(isReady).map(({ metadata }) => metadata.uid)).toEqual([first.metadata.uid]);
      });
      await bench.untilPods((found) => found.filter(isReady).length === 2);
    }),
  );

  behaviour(
    'a taint keeps pods away that do not tolerate it',
    atWorkbench(async (bench) => {
      await withNodeSpec(bench.subject, { taints: [{ key: 'reserved', value: 'for-tests', effect: 'NoSchedule' }] }, async () => {
        const tolerations = [{ key: 'reserved', operator: 'Equal', value: 'for-tests', effect: 'NoSchedule' }];
        await bench.create(resources.deployments, server(bench.namespace, 'tolerant', { pod: { tolerations } }));
        await bench.create(resources.deployments, server(bench.namespace, 'other'));
        const pods = await bench.untilPods((found) => found.some(isUnschedulable) && found.some(isReady));
        expect(pods.filter(isReady).map(({ metadata }) => metadata.labels?.app)).toEqual(['tolerant']);
        expect(pods.filter(isUnschedulable).map(reasonOf)).toEqual([
          `0/1 nodes are available: 1 node(s) had untolerated taint(s). no new claims to deallocate, ${noHelp}`,
        ]);
      });
      await bench.untilPods((found) => found.filter(isReady).length === 2);
    }),
  );

  behaviour(
    'a node selector that no node matches, and a required affinity',
    atWorkbench(async (bench) => {
      const terms = (name: string) => ({
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }] }],
      });
      const affinity = (name: string) => ({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms(name) } } });
      await bench.create(
        resources.deployments,
        server(bench.namespace, 'selector', { pod: { nodeSelector: { 'kubernetes.io/hostname': 'worker-9' } } }),
      );
      await bench.create(resources.deployments, server(bench.namespace, 'affinity', { pod: affinity('worker-9') }));
      await bench.create(resources.deployments, server(bench.namespace, 'matching', { pod: affinity('worker-1') }));
      const pods = await bench.untilPods((found) => found.filter(isUnschedulable).length === 2 && found.some(isReady));
      expect(new Set(pods.filter(isUnschedulable).map(reasonOf))).toEqual(
        new Set([`0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, ${noHelp}`]),
      );
      expect(pods.filter(isReady).map(({ metadata }) => metadata.labels?.app)).toEqual(['matching']);
    }),
  );

  behaviour(
    'a claim that is missing or not bound keeps a pod from every node, until it is bound',
    atWorkbench(async (bench) => {
      const volumes = (claimName: string) => ({ volumes: [{ name: 'models', persistentVolumeClaim: { claimName } }] });
      const name = `models-${bench.namespace}`;
      await bench.create(resources.persistentVolumeClaims, claim(bench.namespace, name));
      await bench.create(resources.deployments, server(bench.namespace, 'missing', { pod: volumes('nowhere') }));
      await bench.create(resources.deployments, server(bench.namespace, 'unbound', { pod: volumes(name) }));
      const pods = await bench.untilPods((found) => found.filter(isUnschedulable).length === 2);
      const reasons = Object.fromEntries(pods.map((pod) => [pod.metadata.labels?.app, reasonOf(pod)]));
      expect(reasons).toEqual({
        missing: '0/1 nodes are available: persistentvolumeclaim "nowhere" not found. not found',
        unbound: '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
      });
      await bench.subject.cluster.create(resources.persistentVolumes, volume(bench.namespace, name), written);
      await bench.untilPods((found) => found.some((pod) => pod.metadata.labels?.app === 'unbound' && isReady(pod)));
      const bound = await bench.get<KubernetesObject & { readonly status?: { readonly phase?: string } }>(
        resources.persistentVolumeClaims,
        name,
      );
      expect(bound.status?.phase).toBe('Bound');
    }),
  );

  behaviour(
    'a gated pod waits for its gates',
    atWorkbench(async (bench) => {
      await bench.create(resources.pods, barePod(bench.namespace, 'gated', { schedulingGates: [{ name: 'example.com/later' }] }));
      const pod = await bench.untilPod((found) => podCondition(found, 'PodScheduled') !== undefined);
      expect(podCondition(pod, 'PodScheduled')).toMatchObject({ status: 'False', reason: 'SchedulingGated' });
    }),
  );
});

const barePod = (namespace: string, name: string, spec: Readonly<Record<string, unknown>>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
  spec: { containers: [{ name: 'c', image: 'registry.example/c:1' }], ...spec },
});

const claim = (namespace: string, name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace },
  spec: { accessModes: ['ReadWriteMany'], storageClassName: '', volumeName: name, resources: { requests: { storage: '1Gi' } } },
});

const volume = (namespace: string, name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteMany'],
    storageClassName: '',
    capacity: { storage: '1Gi' },
    claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name },
    hostPath: { path: '/srv/models' },
  },
});
