import { describe, expect, it } from 'vitest';
import { endState, onCandle } from '../end-state.ts';
import { useRealNode } from '../harness.ts';
import { behave, cutover } from './hand-over.ts';

interface Answer {
  readonly status?: number;
  readonly servedBy?: string;
  readonly reused?: boolean;
  readonly error?: string;
}

const node = useRealNode();

describe('a client that keeps its connection', () => {
  it('is answered by the old pod to its end, then by nobody, then by the new one only', async () => {
    await behave(node, 'clef-serve', { linger: '2s' });
    const ask = [
      'stand-in',
      'ask',
      'http://clef-serve.llm-serving/v1/systemone',
      '--count=0',
      '--interval=20ms',
      '--timeout=1s',
      '--keep-alive',
    ];
    const asking = node.run(['kubectl', 'exec', '--namespace=poimen', 'deployment/poimen-memory', '--', ...ask]);
    const { exitCode, stdout, stderr } = await cutover(node);
    asking.kill();
    const answers = (await asking).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer);

    expect(exitCode, `${stderr}${stdout}`).toBe(0);
    expect(stderr).not.toContain('still established'); // the old pod has taken its connections with it
    const sides = answers.map(({ status, servedBy = '' }) => (status === 200 ? servedBy.replace(/-[0-9a-f]+-[0-9a-z]+$/, '') : 'nobody'));
    const inTurn = sides.filter((side, index) => side !== sides[index - 1]);
    expect(inTurn).toEqual(['clef-serve', 'nobody', 'clef-candle']);
    const byOld = answers.filter((_, index) => sides[index] === 'clef-serve');
    expect(byOld.slice(1).every(({ reused }) => reused)).toBe(true);
    expect(await endState(node)).toEqual(onCandle);
  });
});
