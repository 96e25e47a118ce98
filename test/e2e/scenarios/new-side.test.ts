import { describe, expect, it } from 'vitest';
import { endState, identityOfService, onCandle, onServe } from '../end-state.ts';
import { kubectl } from '../example.ts';
import { useRealNode } from '../harness.ts';
import { behave, cutover } from './hand-over.ts';

const node = useRealNode();
const inServing = '--namespace=llm-serving';

describe('a hand-over that is asked from the client', () => {
  it('goes there, back, there again, and then has nothing to do', async () => {
    const before = await identityOfService(node);
    for (const [args, state] of [
      [[], onCandle],
      [['--reverse'], onServe],
      [[], onCandle],
    ] as const) {
      const { exitCode, stdout, stderr } = await cutover(node, args);
      expect(exitCode, `${stderr}${stdout}`).toBe(0);
      expect(stdout).toMatch(/^✔ clef: done in /);
      expect(stdout).not.toContain('not probed');
      expect(stderr).toMatch(/good answers in a row over 1(\.\d)? s \(p50 [\d.]+ ms, p90 [\d.]+ ms, max [\d.]+ ms\)/);
      expect(stderr).not.toContain('warning:');
      expect(await endState(node)).toEqual(state);
    }
    const again = await cutover(node);
    expect(again.exitCode, again.stderr).toBe(0);
    expect(again.stdout).toMatch(/^✔ clef: nothing to do, everything is as wanted; nothing was changed/);
    expect(await endState(node)).toEqual(onCandle);
    expect(await identityOfService(node)).toEqual(before);
  });

  it('waits for an old pod that takes its whole grace', async () => {
    await kubectl(node, [
      'patch',
      'deployment/clef-serve',
      inServing,
      '--patch={"spec":{"template":{"spec":{"terminationGracePeriodSeconds":5}}}}',
    ]);
    await behave(node, 'clef-serve', { linger: '60s' });
    const { exitCode, stdout, stderr } = await cutover(node);
    expect(exitCode, `${stderr}${stdout}`).toBe(0);
    expect(stderr).toMatch(/waiting: clef-serve-\S+: terminating/);
    const [, seconds = ''] = /done in ([\d.]+) s, no pod of deployment\/clef-serve is left/.exec(stderr) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(5);
    expect(stderr.indexOf('wrote deployment/clef-candle')).toBeGreaterThan(stderr.indexOf('no pod of deployment/clef-serve is left'));
    expect(await endState(node)).toEqual(onCandle);
  });
});

describe('a new side that does not come', () => {
  it('because its image does not exist: the run says so and stops before the switch, and the way back works', async () => {
    await kubectl(node, ['set', 'image', 'deployment/clef-candle', 'candle=registry.example/llm/none:1', inServing]);
    const { exitCode, stdout, stderr } = await cutover(node);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toMatch(/^✖ clef: halted/);
    expect(stdout).toMatch(/pod\/clef-candle-\S+: (ErrImagePull|ImagePullBackOff): .*registry\.example\/llm\/none:1/);
    expect(stdout).toContain('to go back: poimen cutover clef --reverse');
    expect(await endState(node)).toEqual({ serve: '0/0', candle: '0/1', selector: { app: 'clef-serve' }, behind: [] });

    const back = await cutover(node, ['--reverse']);
    expect(back.exitCode, `${back.stderr}${back.stdout}`).toBe(0);
    expect(await endState(node)).toEqual(onServe);
  });

  it('because it crashes before it is ready', async () => {
    await kubectl(node, [
      'patch',
      'deployment/clef-candle',
      inServing,
      '--type=json',
      '--patch=[{"op":"replace","path":"/spec/template/spec/containers/0/command","value":["/mnt/models/bin/none"]}]',
    ]);
    const { exitCode, stdout, stderr } = await cutover(node, ['--set', 'ready=12s']);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toMatch(/pod\/clef-candle-\S+: \S+: .*\/mnt\/models\/bin\/none/);
    expect(await endState(node)).toMatchObject({ serve: '0/0', selector: { app: 'clef-serve' }, behind: [] });
  });

  it('for long, because it crashes again and again once it is ready', async () => {
    await behave(node, 'clef-candle', { crashAfter: '3s' });
    const { exitCode, stdout, stderr } = await cutover(node, ['--set', 'answers=40']);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toMatch(/pod\/clef-candle-\S+: CrashLoopBackOff: /);
    expect(await endState(node)).toMatchObject({ serve: '0/0', selector: { app: 'clef-candle' } });
  });
});
