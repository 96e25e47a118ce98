import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/clock/clock.ts';
import { ConnectionError } from '../../src/cluster/api-error.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { atStep, handOver, TwinWorld } from './twin-world.ts';

const hourMs = 3_600_000;

/** The world's, with a wall clock that can be set. */
const settable = ({ clock }: TwinWorld): { readonly clock: Clock; set(byMs: number): void } => {
  let setByMs = 0;
  return {
    clock: { now: () => clock.now() + setByMs, monotonicMs: () => clock.monotonicMs(), after: (...timer) => clock.after(...timer) },
    set: (byMs) => (setByMs += byMs),
  };
};

describe('a wall clock that is set in the middle of a run', () => {
  it('ends no step before its time, and falsifies no duration', async () => {
    const world = await TwinWorld.open();
    const { clock, set } = settable(world);
    const { result, events } = await world.run(
      [handOver()],
      (event) => {
        if (event.type === 'stepStarted' && event.step === 'h/old-gone') set(hourMs);
        if (event.type === 'stepStarted' && event.step === 'h/new-ready') set(-2 * hourMs);
      },
      { clock },
    );
    expect(result.outcome).toBe('completed');
    expect(result.steps.filter(({ tookMs = 0 }) => tookMs < 0 || tookMs > 60_000)).toEqual([]);
    expect(result.outage?.totalMs).toBeGreaterThan(0);
    expect(result.outage?.totalMs).toBeLessThan(60_000);
    const times = events.map(({ at }) => Date.parse(at));
    expect(times.some((time, index) => time - (times[index - 1] ?? time) >= hourMs)).toBe(true); // a record has what the clock said
    expect(times.some((time, index) => time - (times[index - 1] ?? time) <= -hourMs)).toBe(true);
  });

  it('puts no deadline off', async () => {
    const world = await TwinWorld.open({ fail: 'never-ready' });
    const { clock, set } = settable(world);
    let startedMs = 0;
    const { result } = await world.run(
      [handOver({ deadlines: { ready: '20s' } })],
      atStep('h/new-ready', () => {
        startedMs = world.clock.now();
        set(-hourMs);
      }),
      { clock },
    );
    expect(result.failure).toMatchObject({ step: 'h/new-ready', reason: expect.stringMatching(/^the deadline passed/) });
    expect(world.clock.now() - startedMs).toBeLessThan(21_000);
  });
});

/** The world's, whose watches of pods are told nothing any more once `deaf` says so; lists of pods may fail then. */
const deafTo = ({ cluster }: TwinWorld, isDeaf: () => boolean, failure?: Error): Cluster => ({
  identity: cluster.identity,
  get: (...args) => cluster.get(...args),
  list: (selection, options) =>
    failure !== undefined && isDeaf() && selection.resource === resources.pods ? Promise.reject(failure) : cluster.list(selection, options),
  async *watch(selection, options) {
    for await (const event of cluster.watch(selection, options)) if (!isDeaf() || selection.resource !== resources.pods) yield event;
  },
  create: (...args) => cluster.create(...args),
  replace: (...args) => cluster.replace(...args),
  patch: (...args) => cluster.patch(...args),
  delete: (...args) => cluster.delete(...args),
  discover: (...args) => cluster.discover(...args),
  close: () => cluster.close(),
});

describe('a deadline that passes', () => {
  const deadlines = { gone: '20s', ready: '30s', endpoints: '30s' };

  it('is judged by a list: what has come true unseen counts', async () => {
    const world = await TwinWorld.open();
    let isDeaf = false;
    const { result } = await world.run(
      [handOver({ deadlines })],
      atStep('h/old-gone', () => (isDeaf = true)),
      { cluster: deafTo(world, () => isDeaf) },
    );
    expect(result.outcome).toBe('completed');
    expect(result.steps.find(({ id }) => id === 'h/old-gone')?.tookMs).toBe(20_000);
  });

  it('says so when the list cannot be had', async () => {
    const world = await TwinWorld.open();
    let isDeaf = false;
    const failure = new ConnectionError({ verb: 'list', resource: 'pods' }, 'connection reset');
    const { result } = await world.run(
      [handOver({ deadlines })],
      atStep('h/old-gone', () => (isDeaf = true)),
      { cluster: deafTo(world, () => isDeaf, failure) },
    );
    expect(result.failure?.reason).toMatch(/^the deadline passed: .*, as far as is known: list pods: connection reset$/);
  });
});
