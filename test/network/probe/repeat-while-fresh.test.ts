import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import type { ProbeAnswer, ProbeQuestion, Prober } from '../../../src/cluster/prober.ts';
import { repeatWhileFresh } from '../../../src/network/probe/repeat-while-fresh.ts';
import { deploymentRef } from '../../builders/objects.ts';

const question: ProbeQuestion = {
  client: deploymentRef('memory'),
  target: { kind: 'service', namespace: 'llm-serving', name: 'clef-serve', port: 80 },
  timeoutMs: 1_000,
};
const answered: ProbeAnswer = { kind: 'answered', latencyMs: 1 };
const refused: ProbeAnswer = { kind: 'refused', detail: 'refused' };

/** Answers by what is in force after so many milliseconds. */
class Changing implements Prober {
  readonly clock = new VirtualClock(0);
  asked = 0;
  private readonly answers: readonly (readonly [number, ProbeAnswer])[];

  constructor(answers: readonly (readonly [number, ProbeAnswer])[]) {
    this.answers = answers;
  }

  async ask(): Promise<ProbeAnswer> {
    this.asked++;
    return this.answers.findLast(([from]) => this.clock.now() >= from)?.[1] ?? expect.fail('no answer');
  }
}

const ask = async (prober: Changing): Promise<readonly [string, number, number]> => {
  const { kind } = await repeatWhileFresh(prober, prober.clock, 0).ask(question);
  return [kind, prober.asked, prober.clock.now()];
};

describe('a new pod’s answer', () => {
  it('is believed when three in a row agree', async () => {
    expect(await ask(new Changing([[0, answered]]))).toEqual(['answered', 3, 1_000]);
  });

  it('is not that of the time before its rules were there', async () => {
    expect(
      await ask(
        new Changing([
          [0, answered],
          [900, refused],
        ]),
      ),
    ).toEqual(['refused', 5, 2_000]);
    expect(
      await ask(
        new Changing([
          [0, refused],
          [900, answered],
        ]),
      ),
    ).toEqual(['answered', 5, 2_000]);
  });

  it('is the last one where they never agree while it is young', async () => {
    const flapping = Array.from({ length: 40 }, (_, index) => [index * 500, index % 2 === 0 ? answered : refused] as const);
    expect(await ask(new Changing(flapping))).toEqual(['answered', 21, 10_000]);
  });

  it('is asked for once when the pod is no longer young', async () => {
    const prober = new Changing([[0, answered]]);
    expect(await repeatWhileFresh(prober, prober.clock, -10_000).ask(question)).toEqual(answered);
    expect(prober.asked).toBe(1);
  });

  it('is not waited for by one that is interrupted', async () => {
    const prober = new Changing([[0, answered]]);
    const abort = new AbortController();
    prober.clock.after(200, () => abort.abort(new Error('interrupted')));
    await expect(repeatWhileFresh(prober, prober.clock, 0).ask(question, abort.signal)).rejects.toThrow('interrupted');
  });
});
