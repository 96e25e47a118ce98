import { describe, expect, it } from 'vitest';
import { isPodReady, isTerminating, podCondition, type Pod } from '../../../src/kubernetes/pod.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { server, Simulation } from '../simulation.ts';

const only = (simulation: Simulation): Pod => {
  const [pod, ...others] = simulation.pods();
  if (pod === undefined || others.length > 0) throw new Error(`${others.length + (pod === undefined ? 0 : 1)} pods`);
  return pod;
};

const waitingReason = (pod: Pod): string | undefined => pod.status?.containerStatuses?.[0]?.state?.waiting?.reason;

const untilReady = (simulation: Simulation): Promise<number> => simulation.until(() => simulation.pods().some(isPodReady));

describe('the times of a pod', () => {
  it('is ready just when pull and start have passed, to the millisecond', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { script: { pull: '5s', start: '4m' } }));
    await simulation.until(() => simulation.pods()[0]?.status?.startTime !== undefined);
    expect(await untilReady(simulation)).toBe(245_000);
  });

  it('takes a second for each of them where nothing is said', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a'));
    const took = await untilReady(simulation);
    expect(Math.round(took / 100)).toBe(20); // and some milliseconds of the controllers
  });

  it('takes no notice of a duration that cannot be read', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { script: { start: 'a while' } }));
    expect(Math.round((await untilReady(simulation)) / 100)).toBe(20);
  });

  it('counts a container with a startup probe as started only when it is ready', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { container: { startupProbe: { tcpSocket: { port: 8080 } } } }));
    await simulation.until(() => simulation.pods().some(({ status }) => status?.phase === 'Running'));
    expect(only(simulation).status?.containerStatuses?.[0]).toMatchObject({ started: false, ready: false });
    await untilReady(simulation);
    expect(only(simulation).status?.containerStatuses?.[0]).toMatchObject({ started: true, ready: true });
  });
});

describe('the end of a pod', () => {
  it('comes when it has terminated, but never later than its grace period', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('quick', { script: { terminate: '2s' } }));
    simulation.create(resources.deployments, server('slow', { script: { terminate: '10m' }, pod: { terminationGracePeriodSeconds: 20 } }));
    await simulation.until(() => simulation.pods().filter(isPodReady).length === 2);
    simulation.scale('quick', 0);
    simulation.scale('slow', 0);
    await simulation.until(() => simulation.pods().every(isTerminating));
    expect(await simulation.until(() => simulation.pods('quick').length === 0)).toBe(2_000);
    expect(await simulation.until(() => simulation.pods('slow').length === 0)).toBe(18_000);
  });

  it('comes sooner when a second deletion has less grace', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { script: { terminate: '25s' } }));
    await untilReady(simulation);
    simulation.scale('a', 0);
    await simulation.until(() => simulation.pods().every(isTerminating));
    await simulation.passes(3_000);
    simulation.store.delete(
      { resource: resources.pods, namespace: 'llm-serving', name: only(simulation).metadata.name },
      { gracePeriodSeconds: 5 },
    );
    expect(await simulation.until(() => simulation.pods().length === 0)).toBe(5_000);
  });

  it('never comes on a node that is lost, and its card stays booked', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('old', { gpus: 4 }));
    await untilReady(simulation);
    const lost = {
      conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' }],
    };
    const worker = { resource: resources.nodes, name: 'worker-1' };
    simulation.store.updateStatus(worker, { ...(simulation.store.get(worker)?.status as object), ...lost });
    await simulation.passes(100);
    expect(podCondition(only(simulation), 'Ready')).toMatchObject({ status: 'False' });
    simulation.scale('old', 0);
    simulation.create(resources.deployments, server('new', { gpus: 1 }));
    await simulation.passes(3_600_000);
    expect(simulation.pods('old').map(isTerminating)).toEqual([true]);
    expect(podCondition(simulation.pods('new')[0] ?? only(simulation), 'PodScheduled')?.message).toContain(
      '1 node(s) had untolerated taint(s)',
    );
  });
});

describe('a pod that goes wrong', () => {
  it('backs off longer and longer while its container crashes', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { script: { fail: 'crash-loop' } }));
    const restarts = (): number => simulation.pods()[0]?.status?.containerStatuses?.[0]?.restartCount ?? 0;
    await simulation.until(() => restarts() === 1);
    const gaps: number[] = [];
    for (let count = 2; count <= 8; count++) gaps.push(await simulation.until(() => restarts() === count));
    expect(gaps.map((gap) => Math.round(gap / 1_000))).toEqual([11, 21, 41, 81, 161, 301, 301]); // a second of running before each
  });

  it('waits for a ConfigMap of its environment, and says so', async () => {
    const simulation = new Simulation();
    const env = [{ name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'mode' } } }];
    simulation.create(resources.deployments, server('a', { container: { env } }));
    await simulation.until(() => simulation.pods().some((pod) => waitingReason(pod) === 'CreateContainerConfigError'));
    expect(only(simulation).status?.containerStatuses?.[0]?.state?.waiting?.message).toBe('configmap "settings" not found');
    await simulation.passes(60_000);
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'llm-serving' } };
    simulation.create(resources.configMaps, { ...settings, data: { other: '' } });
    await simulation.until(() =>
      simulation.pods().some((pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.message?.startsWith("couldn't") ?? false),
    );
    simulation.store.update(resources.configMaps, { ...settings, data: { mode: 'fast' } });
    await untilReady(simulation);
  });

  it('waits for a Secret of its volumes without a word of its container', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { pod: { volumes: [{ name: 'token', secret: { secretName: 'token' } }] } }));
    await simulation.passes(60_000);
    expect(waitingReason(only(simulation))).toBe('ContainerCreating');
    simulation.create(resources.secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', namespace: 'llm-serving' } });
    await untilReady(simulation);
  });

  it('starts when what made it fail is taken away', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { script: { fail: 'image-not-found' } }));
    await simulation.until(() => simulation.pods().some((pod) => waitingReason(pod) === 'ImagePullBackOff'));
    simulation.store.change({ resource: resources.pods, namespace: 'llm-serving', name: only(simulation).metadata.name }, (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, annotations: {} },
    }));
    expect(await untilReady(simulation)).toBeLessThan(22_000);
  });
});

describe('addresses', () => {
  it('are different for all pods, and the same again after a restart', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { replicas: 60 }));
    await simulation.until(() => simulation.pods().filter(isPodReady).length === 60);
    const addresses = simulation.pods().map(({ status }) => status?.podIP);
    expect(new Set(addresses).size).toBe(60);
    const again = new Simulation();
    again.create(resources.deployments, server('a', { replicas: 60 }));
    await again.until(() => again.pods().filter(isPodReady).length === 60);
    expect(again.pods().map(({ status }) => status?.podIP)).toEqual(addresses);
  });
});
