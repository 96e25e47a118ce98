import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../src/kubernetes/deployment.ts';
import { isPodReady } from '../../../src/kubernetes/pod.ts';
import type { ReplicaSet } from '../../../src/kubernetes/replica-set.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { server, Simulation } from '../simulation.ts';

const progressOf = ({ status }: Deployment): string | undefined => status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;

const replicaSets = (simulation: Simulation): readonly ReplicaSet[] =>
  simulation.store.list<ReplicaSet>({ resource: resources.replicaSets });

const renew = (simulation: Simulation, script: Readonly<Record<string, string>> = {}): void => {
  const { spec } = server('a', { script, container: { image: 'registry.example/server:2.0' } }) as Deployment;
  simulation.change(resources.deployments, 'a', { template: spec.template });
};

describe('the progress deadline', () => {
  it('does not count the time since an earlier rollout was through', async () => {
    const simulation = new Simulation();
    const reasons = new Set<string | undefined>();
    simulation.store.onCommit(({ change }) => {
      if (change.object.kind === 'Deployment') reasons.add(progressOf(change.object as Deployment));
    });
    simulation.create(resources.deployments, server('a', { script: { terminate: '2s' } }));
    simulation.change(resources.deployments, 'a', { progressDeadlineSeconds: 30 });
    await simulation.until(() => simulation.pods().some(isPodReady));
    await simulation.passes(600_000);
    renew(simulation);
    await simulation.passes(60_000);
    expect([...reasons]).not.toContain('ProgressDeadlineExceeded');
    expect(progressOf(simulation.deployment('a'))).toBe('NewReplicaSetAvailable');
  });

  it('counts from when the Deployment has found a ReplicaSet that was there before it', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { script: { fail: 'never-ready' } }));
    await simulation.until(() => simulation.pods().length === 1);
    simulation.store.delete({ resource: resources.deployments, namespace: 'llm-serving', name: 'a' }, { propagationPolicy: 'Orphan' });
    await simulation.until(() => simulation.store.list({ resource: resources.deployments }).length === 0);
    simulation.create(resources.deployments, server('a', { script: { fail: 'never-ready' } }));
    await simulation.until(() => progressOf(simulation.deployment('a')) !== undefined);
    expect(progressOf(simulation.deployment('a'))).toBe('FoundNewReplicaSet');
    const took = await simulation.until(() => progressOf(simulation.deployment('a')) === 'ProgressDeadlineExceeded');
    expect(Math.round(took / 1_000)).toBe(601);
  });

  it('stands still while the Deployment is paused, and nobody looks at it meanwhile', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { script: { fail: 'never-ready' } }));
    simulation.change(resources.deployments, 'a', { paused: true });
    simulation.clock.fastForward(7_200_000);
    expect(progressOf(simulation.deployment('a'))).toBe('DeploymentPaused');
    expect(simulation.elapsedMs).toBeLessThan(60_000); // the last moment at which there was something to do
  });

  it('may be none at all', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { script: { fail: 'never-ready' } }));
    simulation.change(resources.deployments, 'a', { progressDeadlineSeconds: 2_147_483_647 });
    await simulation.passes(3_600_000);
    expect(progressOf(simulation.deployment('a'))).toBeUndefined();
  });
});

describe('the history', () => {
  it('does not lose a ReplicaSet that still has pods, when it is cut in the middle of a rollout', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a', { replicas: 4 }));
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
    simulation.change(resources.deployments, 'a', { strategy, revisionHistoryLimit: 0 });
    await simulation.until(() => simulation.pods().filter(isPodReady).length === 4);
    renew(simulation, { fail: 'never-ready' });
    await simulation.until(() => replicaSets(simulation).length === 2);
    simulation.change(resources.deployments, 'a', { paused: true, replicas: 6 });
    await simulation.passes(60_000);
    expect(replicaSets(simulation)).toHaveLength(2);
    expect(simulation.pods().filter(isPodReady).length).toBeGreaterThan(2);
  });
});

describe('a template whose name is taken', () => {
  it('gets another one, and the collision is counted', async () => {
    const simulation = new Simulation();
    simulation.create(resources.deployments, server('a'));
    await simulation.until(() => replicaSets(simulation).length === 1);
    const [taken] = replicaSets(simulation);
    const other = new Simulation();
    other.create(resources.replicaSets, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: taken?.metadata.name ?? '', namespace: 'llm-serving' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'other' } },
        template: { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'c', image: 'registry.example/c:1' }] } },
      },
    });
    other.create(resources.deployments, server('a'));
    await other.until(() => other.pods().some(isPodReady));
    expect(other.deployment('a').status).toMatchObject({ collisionCount: 1 });
    expect(replicaSets(other).map(({ metadata }) => metadata.name)).toContain(taken?.metadata.name);
    expect(replicaSets(other)).toHaveLength(2);
  });
});
