import { describe, expect, it } from 'vitest';
import { endState, onCandle, onServe } from '../end-state.ts';
import { useRealNode } from '../harness.ts';
import { begins, behave, cutover } from './hand-over.ts';

const node = useRealNode();

const policy = '/apis/networking.k8s.io/v1/namespaces/llm-serving/networkpolicies/llm-serving-ingress';

/** Takes the ingress half of the client's path away, as the change did that this project began with. */
const closeIngress = async (): Promise<() => Promise<void>> => {
  const { spec } = (await node.request('GET', policy)).body as { readonly spec: object };
  expect((await node.request('PATCH', policy, { spec: { ingress: [] } })).status).toBe(200);
  return async () => {
    expect((await node.request('PATCH', policy, { spec })).status).toBe(200);
  };
};

describe('a client that is cut off by a NetworkPolicy', () => {
  it('before: nothing is begun, and the half that is shut is named', async () => {
    await closeIngress();
    const { exitCode, stdout, stderr } = await cutover(node);
    expect(exitCode, `${stderr}${stdout}`).toBe(3);
    expect(`${stderr}${stdout}`).toMatch(/llm-serving-ingress/);
    expect(await endState(node)).toEqual(onServe);
  });

  it('in the middle: halted, and the same command goes on once the policy is back', async () => {
    await behave(node, 'clef-candle', { startDelay: '2s' });
    let reopen: (() => Promise<void>) | undefined;
    const close = async (): Promise<void> => {
      reopen = await closeIngress();
    };
    const { exitCode, stdout, stderr } = await cutover(node, [], [[begins.waitingForTheStart, close]]);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toMatch(/llm-serving-ingress/);
    expect(await endState(node)).toMatchObject({ serve: '0/0', candle: '1/1' });

    await reopen?.();
    const again = await cutover(node);
    expect(again.exitCode, `${again.stderr}${again.stdout}`).toBe(0);
    expect(await endState(node)).toEqual(onCandle);
  });
});
