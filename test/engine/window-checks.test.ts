import { expect, test } from 'vitest';
import type { ProbeAnswer, Prober } from '../../src/cluster/prober.ts';
import { atStep, handOver, TwinWorld } from './twin-world.ts';

/** The Service's answers in the window come from `late`; every other question is the twin's own. */
const worldAnswering = async (
  late: (asked: number) => Promise<ProbeAnswer> | undefined,
): Promise<{ world: TwinWorld; enter: () => void }> => {
  const world = await TwinWorld.open();
  const { prober } = world;
  let inWindow = false;
  let asked = 0;
  const asking: Prober = {
    ask: (question, signal) => (inWindow && question.target.kind === 'service' ? late(++asked) : undefined) ?? prober.ask(question, signal),
  };
  world.prober = asking;
  return { world, enter: () => (inWindow = true) };
};

const answered: ProbeAnswer = { kind: 'answered', status: 200, latencyMs: 1 };

test('an answer that comes after the window tells nothing about it', async () => {
  let release: (() => void) | undefined;
  const held = new Promise<ProbeAnswer>((resolve) => {
    release = () => resolve(answered);
  });
  const { world, enter } = await worldAnswering((asked) => (asked === 1 ? held : undefined));
  const { result, events } = await world.run([handOver()], (event) => {
    atStep('h/start-new', enter)(event);
    atStep('h/after', () => release?.())(event);
  });
  expect(result).toMatchObject({ outcome: 'completed', warnings: [] });
  const told = events.flatMap((event) => (event.type === 'reachability' && event.expected === 'window' ? [event.seen] : []));
  expect(told.filter((seen) => seen.includes('HTTP'))).toEqual([]);
});

test('endpoints that lag behind the end of the old pod are given a moment', async () => {
  const { world, enter } = await worldAnswering((asked) => (asked === 1 ? Promise.resolve(answered) : undefined));
  const { result, events } = await world.run([handOver()], atStep('h/start-new', enter));
  expect(result).toMatchObject({ outcome: 'completed', warnings: [] });
  expect(events.filter((event) => event.type === 'reachability' && event.expected === 'window' && !event.met)).toEqual([]);
});
