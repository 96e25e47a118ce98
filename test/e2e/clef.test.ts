import { describe, expect, it } from 'vitest';
import { endState, identityOfService, onCandle, onServe } from './end-state.ts';
import { poimen, useRealNode } from './harness.ts';

const node = useRealNode();

describe('poimen cutover clef --no-probe', () => {
  it('hands the Service over to candle and back again', async () => {
    const before = await identityOfService(node);

    const forward = await poimen(node, ['cutover', 'clef', '--yes', '--no-probe']);
    expect(forward.exitCode, forward.stderr).toBe(0);
    expect(forward.stdout).toContain('deployment/clef-serve.llm-serving  replicas 1 -> 0');
    expect(forward.stdout).toContain('selector app=clef-serve -> app=clef-candle');
    expect(forward.stdout).toContain('not probed');
    expect(await endState(node)).toEqual(onCandle);

    const back = await poimen(node, ['cutover', 'clef', '--reverse', '--yes', '--no-probe']);
    expect(back.exitCode, back.stderr).toBe(0);
    expect(await endState(node)).toEqual(onServe);
    expect(await identityOfService(node)).toEqual(before);
  });
});
