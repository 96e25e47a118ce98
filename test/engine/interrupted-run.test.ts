import { describe, expect, it } from 'vitest';
import type { RunEvent, RunResult } from '../../src/engine/event.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { TwinWorld } from './twin-world.ts';

/** Runs the hand-over and interrupts it as soon as so many events have been seen; 0: before it begins. */
const interruptAfter = async (world: TwinWorld, events: number): Promise<RunResult> => {
  const controller = new AbortController();
  const planned = await world.plan();
  let seen = 0;
  const count = (_: RunEvent): void => {
    if (++seen === events) controller.abort();
  };
  if (events === 0) controller.abort();
  try {
    return await planned.run(count, controller.signal);
  } finally {
    await planned.close();
  }
};

const eventsOfAWholeRun = (await (await TwinWorld.open()).run()).events.length;
const moments = Array.from({ length: eventsOfAWholeRun }, (_, index) => index);

describe('a run that is interrupted', () => {
  it.each(moments)('after %i events has a result, and the same again completes the hand-over', async (events) => {
    const world = await TwinWorld.open();
    const { outcome, changes, nextSteps } = await interruptAfter(world, events);
    if (outcome !== 'completed') {
      expect(outcome).toBe('interrupted');
      expect(nextSteps).toContain('to go on: poimen run test.yaml');
      expect(nextSteps.length).toBe(changes.length === 0 ? 1 : 2);
    }
    const { result } = await world.run();
    expect(['completed', 'nothingToDo']).toContain(result.outcome);
    expect(await world.get(resources.services, 'front')).toMatchObject({ spec: { selector: { app: 'new' } } });
    expect(await world.get(resources.deployments, 'old')).toMatchObject({ spec: { replicas: 0 } });
    expect(await world.get(resources.deployments, 'new')).toMatchObject({ spec: { replicas: 1 } });
  });
});
