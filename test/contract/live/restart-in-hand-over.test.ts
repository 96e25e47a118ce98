import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import type { Clock } from '../../../src/clock/clock.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import type { ControlPlane } from '../../cluster/control-plane.ts';
import { startControlPlaneWithFakeNode } from '../../cluster/with-fake-node.ts';
import { Workbench } from '../controllers/workloads.ts';
import { HandOverBench, handedOver } from '../hand-over/hand-over-bench.ts';
import { resources } from '../objects.ts';
import { openRealSubject, type Subject } from '../subjects.ts';
import { describeOnRealCluster } from './real-cluster.ts';

// On a control plane of its own, whose API server is restarted once under two hand-overs that speak to it directly.

describeOnRealCluster('an API server that is restarted in the middle of a hand-over', () => {
  let controlPlane: ControlPlane;
  let subject: Subject;

  beforeAll(async () => {
    controlPlane = await startControlPlaneWithFakeNode();
    subject = await openRealSubject(controlPlane.kubeconfig);
  });

  afterAll(async () => {
    await subject?.cluster.close();
    await controlPlane?.stop();
  });

  /** `refused` resolves as soon as a request has found nobody and is to be sent again. */
  const connect = async (): Promise<{ readonly cluster: Cluster; readonly refused: Promise<void> }> => {
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const clock: Clock = {
      ...systemClock,
      after(delayMs, callback) {
        resolve();
        return systemClock.after(delayMs, callback);
      },
    };
    const { cluster } = await connectLive({ kubeconfig: controlPlane.kubeconfig, requestTimeoutMs: 10_000, env: {}, clock });
    onTestFinished(() => cluster.close());
    return { cluster, refused };
  };

  const prepare = async (): Promise<Workbench> => {
    const bench = new Workbench(subject, await subject.newNamespace());
    const script = { terminate: '1s', start: '1s' };
    await new HandOverBench(bench).prepare({ old: { gpus: 0, script }, new: { gpus: 0, script } });
    return bench;
  };

  const end = async (bench: Workbench): Promise<object> => ({
    state: await new HandOverBench(bench).state(),
    generations: await Promise.all(['old', 'new'].map(async (name) => (await bench.get(resources.deployments, name)).metadata.generation)),
  });
  const eachWriteOnce = { state: handedOver, generations: [2, 2] };

  it('completes, one that waits and one that is about to write, and what is read meanwhile is answered', async () => {
    const [waitingBench, writingBench] = await Promise.all([prepare(), prepare()]);
    const [waiter, writer] = await Promise.all([connect(), connect()]);
    const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
    const { promise: isDown, resolve: goesDown } = Promise.withResolvers<void>();
    let reading: Promise<unknown> | undefined;

    const waiting = new HandOverBench(new Workbench({ ...subject, cluster: waiter.cluster }, waitingBench.namespace)).run({
      during: (event) => {
        if (event.type === 'stepStarted' && event.step === 'hand-over/old-gone') waits();
      },
    });
    const { cluster } = writer;
    const meddled: Cluster = {
      identity: cluster.identity,
      get: (...args) => cluster.get(...args),
      list: (...args) => cluster.list(...args),
      watch: (...args) => cluster.watch(...args),
      create: (...args) => cluster.create(...args),
      replace: (...args) => cluster.replace(...args),
      patch: async (reference, ...rest) => {
        if (reference.resource.kind === 'Deployment') await isDown;
        return await cluster.patch(reference, ...rest);
      },
      delete: (...args) => cluster.delete(...args),
      discover: (...args) => cluster.discover(...args),
      close: () => cluster.close(),
    };
    const writing = new HandOverBench(new Workbench({ ...subject, cluster: meddled }, writingBench.namespace)).run();
    const restarted = isWaiting.then(() =>
      controlPlane.restartApiServer(async () => {
        goesDown();
        reading = waiter.cluster.list({ resource: resources.pods, namespace: waitingBench.namespace });
        await Promise.all([waiter.refused, writer.refused]);
      }),
    );

    const ends = await Promise.all([waiting, writing]);
    await restarted;
    expect(ends.map(({ result }) => [result.outcome, result.failure])).toEqual([
      ['completed', undefined],
      ['completed', undefined],
    ]);
    expect(await reading).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ kind: 'Pod' })]) as unknown });
    expect([await end(waitingBench), await end(writingBench)]).toEqual([eachWriteOnce, eachWriteOnce]);
  });
});
