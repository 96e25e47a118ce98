import { describe, expect, it } from 'vitest';
import { isPodReady } from '../../../src/kubernetes/pod.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { endpointsOf } from '../../../src/kubernetes/endpoint-slice.ts';
import { server, service, Simulation } from '../simulation.ts';

/** Old and new want the same cards: the old one goes, the new one comes, and the Service follows. */
const prepare = async (): Promise<Simulation> => {
  const simulation = new Simulation();
  simulation.create(resources.services, service('clef', { app: 'old' }));
  simulation.create(resources.deployments, server('old', { gpus: 4, script: { terminate: '6s' } }));
  simulation.create(resources.deployments, server('new', { gpus: 4, replicas: 0, script: { pull: '25s', start: '45s' } }));
  await simulation.until(() => endpointsOf(simulation.slices()).ready.length === 1);
  return simulation;
};

const handOver = (simulation: Simulation): void => {
  simulation.scale('old', 0);
  simulation.scale('new', 1);
  simulation.change(resources.services, 'clef', { selector: { app: 'new' } });
};

const isHandedOver = (simulation: Simulation): boolean => {
  const [pod, ...others] = simulation.pods();
  const { ready } = endpointsOf(simulation.slices());
  return (
    pod?.metadata.labels?.app === 'new' &&
    others.length === 0 &&
    isPodReady(pod) &&
    ready.length === 1 &&
    ready[0]?.uid === pod.metadata.uid
  );
};

/** What is left in the end, without what names it, dates it, or depends on how many changes came together. */
const outcome = (simulation: Simulation): unknown =>
  simulation.store
    .everything()
    .map(({ object }) => [object.kind, object.kind === 'EndpointSlice' ? undefined : object.metadata.generation, object.spec])
    .map((entry) => JSON.stringify(entry))
    .toSorted();

describe('a twin that is restarted', () => {
  it('comes to the same end from wherever it was, and no more than two seconds sooner or later', { timeout: 60_000 }, async () => {
    const undisturbed = await prepare();
    const start = undisturbed.elapsedMs;
    let commits = 0;
    undisturbed.store.onCommit(() => commits++);
    handOver(undisturbed);
    await undisturbed.until(() => isHandedOver(undisturbed));
    await undisturbed.passes(10_000);
    const [wantedOutcome, wantedPods] = [outcome(undisturbed), undisturbed.pods()];
    const readySince = (simulation: Simulation): number =>
      Date.parse(simulation.pods()[0]?.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '');
    expect(commits).toBeGreaterThan(20);

    for (let stopAfter = 3; stopAfter < commits; stopAfter++) {
      const before = await prepare();
      expect(before.elapsedMs).toBe(start);
      let seen = 0;
      before.store.onCommit(() => seen++);
      handOver(before);
      await before.until(() => seen >= stopAfter);
      before.stop();
      const after = new Simulation({}, before);
      await after.until(() => isHandedOver(after));
      await after.passes(10_000);
      expect([stopAfter, outcome(after)]).toEqual([stopAfter, wantedOutcome]);
      expect(Math.abs(readySince(after) - readySince(undisturbed))).toBeLessThanOrEqual(2_000); // pull and start, a second each
      expect(after.pods()).toHaveLength(wantedPods.length);
    }
  });

  it('goes on with exact times for what begins after it', async () => {
    const before = new Simulation();
    before.create(resources.deployments, server('a', { script: { pull: '10.5s', start: '45s' } }));
    await before.until(() => before.pods()[0]?.status?.startTime !== undefined);
    await before.passes(3_333);
    before.stop();
    const after = new Simulation({}, before);
    await after.until(() => after.pods()[0]?.status?.phase === 'Running');
    await after.passes(700); // now the second in which it started has passed
    expect(await after.until(() => after.pods().some(isPodReady))).toBe(45_000 - 700);
  });

  it('writes nothing when everything is as it should be', async () => {
    const before = await prepare();
    await before.passes(60_000);
    before.stop();
    const after = new Simulation({}, before);
    const { version } = after.store;
    await after.passes(3_600_000);
    expect(after.store.version).toBe(version);
  });
});

describe('a twin', () => {
  it('goes the same way each time: names, times, order', async () => {
    const trace = async (): Promise<readonly string[]> => {
      const simulation = await prepare();
      const commits: string[] = [];
      simulation.store.onCommit(({ version, change }) =>
        commits.push(`${simulation.elapsedMs} ${version} ${change.type} ${JSON.stringify(change.object)}`),
      );
      handOver(simulation);
      await simulation.until(() => isHandedOver(simulation));
      return commits;
    };
    expect(await trace()).toEqual(await trace());
  });
});
