import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../../src/clock/clock.ts';
import { systemClock } from '../../../src/clock/system-clock.ts';
import { isApiError } from '../../../src/cluster/api-error.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import { takeInventory } from '../../../src/network/inventory/inventory.ts';
import { readProbePodFacts } from '../../../src/network/probe/read-probe-pod-facts.ts';
import { readClusterNetwork } from '../../../src/operations/read-cluster-network.ts';
import { Workbench } from '../controllers/workloads.ts';
import { describeOnRealCluster, kubeconfigPath } from '../live/real-cluster.ts';
import { resources, written } from '../objects.ts';
import { subjectSources, type Subject } from '../subjects.ts';
import { apiServices, downApiService } from '../live/down-api-service.ts';
import { HandOverBench } from './hand-over-bench.ts';

// Groups of which the API server says that they are there, and behind which nobody answers: in a plan one that stands in the way, one that does
// not; in questions about the network one whose policies decide, in a probe pod's one that it has to be judged by.

const down = [
  ['keda.sh', 'v1alpha1'],
  ['policy.networking.k8s.io', 'v1alpha1'],
  ['projectcalico.org', 'v3'],
] as const;

const clientOf = (namespace: string) => ({ resource: resources.deployments, namespace, name: 'client' });

describeOnRealCluster('an aggregated API that is down', () => {
  let subject: Subject;
  let bench: Workbench;

  beforeAll(async () => {
    const source = subjectSources().find(({ name }) => name === 'a real control plane');
    if (source === undefined) throw new Error('no real control plane');
    subject = await source.open();
    bench = new Workbench(subject, await subject.newNamespace());
    await new HandOverBench(bench).prepare({ old: { gpus: 0 }, new: { gpus: 0 } });
    await Promise.all(down.map(([group, version]) => subject.cluster.create(apiServices, downApiService(group, version), written)));
    await Promise.all(down.map(([group]) => until(async () => await isDown(subject.cluster, group))));
  });

  afterAll(async () => {
    await Promise.all(down.map(([group, version]) => subject.cluster.delete({ resource: apiServices, name: `${version}.${group}` })));
    await Promise.all(down.map(([group]) => until(async () => !(await isDown(subject.cluster, group)))));
    await bench.done();
    await subject.close();
  });

  /** Tries again at once: how long it waits is shown elsewhere. */
  const connect = async (): Promise<Cluster> => {
    const clock: Clock = { ...systemClock, after: (_delayMs, callback) => systemClock.after(0, callback) };
    const { cluster } = await connectLive({ kubeconfig: kubeconfigPath(), requestTimeoutMs: 10_000, env: {}, clock });
    onTestFinished(() => cluster.close());
    return cluster;
  };

  it('blocks a plan that needs to know, is told where others say enough, and is never taken for "there is none"', async () => {
    const cluster = await connect();
    const planned = await new HandOverBench(new Workbench({ ...subject, cluster }, bench.namespace)).plan();
    onTestFinished(() => planned.close());
    expect(planned.plan.blockers).toEqual([
      {
        code: 'CouldNotBeAsked',
        reason: expect.stringMatching(
          /^nobody knows whether KEDA scales the workloads: scaledobjects\.keda\.sh could not be asked: .*service unavailable/,
        ) as string,
        nextSteps: ['see why: kubectl get apiservice v1alpha1.keda.sh; kubectl get scaledobjects.keda.sh --all-namespaces'],
      },
    ]);
    expect(planned.plan.warnings).toEqual([
      expect.stringMatching(
        /cannot be said: cluster-wide policies may deny it: adminnetworkpolicies\.policy\.networking\.k8s\.io could not be asked: .*service unavailable/,
      ),
    ]);
  });

  it('leaves a question about the network open', async () => {
    const { objects, gaps } = await readClusterNetwork(await connect(), [bench.namespace]);
    expect(gaps).toEqual(
      ['policy.networking.k8s.io', 'projectcalico.org'].map((group) => ({
        group,
        resource: group,
        readIn: [],
        isUnanswered: true,
        message: expect.stringMatching(`^${group} could not be asked, what it holds is not known: .*service unavailable`) as string,
      })),
    );
    expect(objects.filter(({ kind, metadata }) => kind === 'Pod' && metadata.namespace === bench.namespace)).not.toEqual([]);
    expect(
      takeInventory(
        objects.map((object) => ({ object })),
        gaps,
      ).doubts.map(({ on }) => on),
    ).toEqual(['policy.networking.k8s.io, which could not be asked', 'projectcalico.org, which could not be asked']);
  });

  it('leaves open how policies would treat a probe pod, and reads the rest', async () => {
    const facts = await readProbePodFacts(await connect(), clientOf(bench.namespace));
    expect(facts.policies).toBeUndefined();
    expect([facts.pods.length, facts.services?.map(({ metadata }) => metadata.name)]).toEqual([1, ['front']]);
  });
});

const isDown = async (cluster: Cluster, group: string): Promise<boolean> => {
  const query = { signal: AbortSignal.timeout(10_000) };
  try {
    await cluster.discover(group, query);
    return false;
  } catch (error) {
    return isApiError(error, 503);
  }
};

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise<void>((resolve) => systemClock.after(50, resolve));
};
