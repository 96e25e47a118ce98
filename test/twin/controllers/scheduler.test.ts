import { describe, expect, it } from 'vitest';
import { isPodReady, podCondition, type Pod } from '../../../src/kubernetes/pod.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { node, server, Simulation } from '../simulation.ts';

const reasonOf = (pod: Pod | undefined): string | undefined => (pod === undefined ? undefined : podCondition(pod, 'PodScheduled')?.message);

const onNode = (simulation: Simulation, app: string): string | undefined => simulation.pods(app)[0]?.spec.nodeName;

describe('several nodes', () => {
  it('counts what stands in the way on each, in the order of the words', async () => {
    const simulation = new Simulation();
    simulation.create(resources.nodes, node('worker-2', { 'nvidia.com/gpu': '1' }));
    simulation.create(resources.nodes, node('worker-3', { 'nvidia.com/gpu': '1' }));
    simulation.create(resources.nodes, { ...node('worker-4'), spec: { unschedulable: true } });
    simulation.create(resources.nodes, { ...node('worker-5'), spec: { taints: [{ key: 'reserved', effect: 'NoSchedule' }] } });
    simulation.create(resources.deployments, server('old', { gpus: 3 }));
    await simulation.until(() => simulation.pods('old').some(isPodReady));
    simulation.create(resources.deployments, server('new', { gpus: 2 }));
    await simulation.until(() => reasonOf(simulation.pods('new')[0]) !== undefined);
    expect(reasonOf(simulation.pods('new')[0])).toBe(
      '0/5 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 3 Insufficient nvidia.com/gpu. ' +
        'no new claims to deallocate, preemption: 0/5 nodes are available: 1 No preemption victims found for incoming pod, 4 Preemption is not helpful for scheduling.',
    );
  });

  it('prefers the emptier one', async () => {
    const simulation = new Simulation();
    simulation.create(resources.nodes, node('worker-0'));
    const requests = { container: { resources: { requests: { cpu: '8', memory: '16Gi' } } } };
    for (const name of ['a', 'b']) simulation.create(resources.deployments, server(name, requests));
    await simulation.until(() => simulation.pods().filter(isPodReady).length === 2);
    expect(new Set(['a', 'b'].map((name) => onNode(simulation, name)))).toEqual(new Set(['worker-0', 'worker-1']));
  });

  it('says so when there is none', async () => {
    const simulation = new Simulation();
    simulation.store.delete({ resource: resources.nodes, name: 'worker-1' });
    simulation.create(resources.deployments, server('a'));
    await simulation.until(() => reasonOf(simulation.pods()[0]) !== undefined);
    expect(reasonOf(simulation.pods()[0])).toBe('no nodes available to schedule pods');
  });
});

describe('who comes first when a card is free', () => {
  const wait = async (simulation: Simulation): Promise<void> => {
    simulation.create(resources.deployments, server('holder', { gpus: 4 }));
    await simulation.until(() => simulation.pods('holder').some(isPodReady));
  };

  it('is the pod that has waited longest', async () => {
    const simulation = new Simulation();
    await wait(simulation);
    for (const name of ['z-first', 'a-second']) {
      simulation.create(resources.deployments, server(name, { gpus: 4 }));
      await simulation.passes(2_000);
    }
    simulation.scale('holder', 0);
    await simulation.until(() =>
      simulation.pods().some(({ metadata, spec }) => metadata.labels?.app !== 'holder' && spec.nodeName !== undefined),
    );
    expect([onNode(simulation, 'z-first'), onNode(simulation, 'a-second')]).toEqual(['worker-1', undefined]);
  });

  it('is before that the pod of higher priority', async () => {
    const simulation = new Simulation();
    simulation.create(resources.priorityClasses, {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'urgent' },
      value: 1000,
    });
    await wait(simulation);
    simulation.create(resources.deployments, server('first', { gpus: 4 }));
    await simulation.passes(2_000);
    simulation.create(resources.deployments, server('urgent', { gpus: 4, pod: { priorityClassName: 'urgent' } }));
    await simulation.passes(2_000);
    simulation.scale('holder', 0);
    await simulation.until(() =>
      simulation.pods().some(({ metadata, spec }) => metadata.labels?.app !== 'holder' && spec.nodeName !== undefined),
    );
    expect([onNode(simulation, 'first'), onNode(simulation, 'urgent')]).toEqual([undefined, 'worker-1']);
  });
});

describe('the node', () => {
  it('is full at its number of pods', async () => {
    const simulation = new Simulation();
    simulation.create(resources.nodes, node('worker-0', { pods: '2' }));
    simulation.store.delete({ resource: resources.nodes, name: 'worker-1' });
    simulation.create(resources.deployments, server('a', { replicas: 3 }));
    await simulation.until(() => simulation.pods().filter(isPodReady).length === 2);
    expect(reasonOf(simulation.pods().find((pod) => !isPodReady(pod)))).toContain('1 Too many pods.');
  });

  it('gives no more than it can, however many ask at once', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { replicas: 7, gpus: 1 }));
    await simulation.passes(60_000);
    expect(simulation.pods().filter(isPodReady)).toHaveLength(4);
  });

  it('does not give to a pod of another scheduler', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { pod: { schedulerName: 'other' } }));
    await simulation.passes(60_000);
    expect(simulation.pods()[0]?.status?.conditions).toBeUndefined();
  });
});
