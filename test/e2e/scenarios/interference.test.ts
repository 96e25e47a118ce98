import { describe, expect, it } from 'vitest';
import { endState, onCandle, onServe } from '../end-state.ts';
import { eventually } from '../eventually.ts';
import { kubectl } from '../example.ts';
import { get, useRealNode } from '../harness.ts';
import { begins, behave, cutover } from './hand-over.ts';

const node = useRealNode();
const inServing = '--namespace=llm-serving';

const gpuPod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      containers: [{ name: 'c', image: 'registry.example/test/client-no-tools:1', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
    },
  });

describe('somebody else', () => {
  it('moves the selector meanwhile: it stays as they left it, and both values are shown', async () => {
    await behave(node, 'clef-candle', { startDelay: '2s' });
    const move = () => kubectl(node, ['patch', 'service/clef-serve', inServing, '--patch={"spec":{"selector":{"app":"somebody-elses"}}}']);
    const { exitCode, stdout, stderr } = await cutover(node, [], [[begins.waitingForTheStart, move]]);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toContain(
      'at hand-over/switch: somebody else changed it since the plan was made: service/clef-serve.llm-serving /spec/selector is {"app":"somebody-elses"}, and was {"app":"clef-serve"}',
    );
    expect(await endState(node)).toEqual({ serve: '0/0', candle: '1/1', selector: { app: 'somebody-elses' }, behind: [] });
  });

  it('scales the old side up again: its pod finds no card, and the run says that it is wanted again', async () => {
    await behave(node, 'clef-candle', { startDelay: '2s' });
    const scaleUp = () => kubectl(node, ['scale', 'deployment/clef-serve', inServing, '--replicas=1']);
    const { exitCode, stdout, stderr } = await cutover(node, [], [[begins.waitingForTheStart, scaleUp]]);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toMatch(
      /somebody else changed what this run had written: deployment\/clef-serve\.llm-serving \/spec\/replicas is 1 \(probably by kubectl.*\), and was 0/,
    );
    expect(await endState(node)).toEqual({ serve: '0/1', candle: '1/1', selector: { app: 'clef-serve' }, behind: [] });
  });

  it('scales the new side to 0 while it is waited for', async () => {
    await behave(node, 'clef-candle', { startDelay: '2s' });
    const scaleDown = () => kubectl(node, ['scale', 'deployment/clef-candle', inServing, '--replicas=0']);
    const { exitCode, stdout, stderr } = await cutover(node, ['--set', 'ready=10s'], [[begins.waitingForTheStart, scaleDown]]);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toMatch(/deployment\/clef-candle.*wants 0/);
    expect(await endState(node)).toEqual({ serve: '0/0', candle: '0/0', selector: { app: 'clef-serve' }, behind: [] });
  });

  it('deletes the old pod by force while it terminates', async () => {
    await behave(node, 'clef-serve', { linger: '10s' });
    const force = () => kubectl(node, ['delete', 'pod', inServing, '--selector=app=clef-serve', '--force', '--grace-period=0']);
    const { exitCode, stdout, stderr } = await cutover(node, [], [[/waiting: clef-serve-\S+: terminating/, force]]);
    expect(exitCode, `${stderr}${stdout}`).toBe(0);
    expect(await endState(node)).toEqual(onCandle);
  });

  it('cordons the node before: refused', async () => {
    await kubectl(node, ['cordon', node.nodeName]);
    const { exitCode, stdout, stderr } = await cutover(node);
    expect(exitCode, `${stderr}${stdout}`).toBe(3);
    expect(`${stderr}${stdout}`).toMatch(new RegExp(`${node.nodeName}.*(cordoned|unschedulable)`));
    expect(await endState(node)).toEqual(onServe);
  });

  it("cordons the node once the old side is down: halted, in the scheduler's words", async () => {
    const cordon = () => kubectl(node, ['cordon', node.nodeName]);
    const { exitCode, stdout, stderr } = await cutover(node, ['--set', 'ready=8s'], [[begins.waitingForTheEnd, cordon]]);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toMatch(/pod\/clef-candle-\S+: Unschedulable: .*node\(s\) were unschedulable/);
    expect(await endState(node)).toEqual({ serve: '0/0', candle: '0/1', selector: { app: 'clef-serve' }, behind: [] });
  });

  it('has a pod that waits for a card: refused', async () => {
    await kubectl(node, ['create', '--filename=-'], gpuPod('fifth'));
    await eventually('the scheduler has looked at the pod', async () => {
      const { status } = await get<{ readonly status: { readonly conditions?: readonly unknown[] } }>(node, 'pod', 'fifth');
      return (status.conditions ?? []).length > 0 || 'not yet';
    });
    const { exitCode, stdout, stderr } = await cutover(node);
    expect(exitCode, `${stderr}${stdout}`).toBe(3);
    expect(`${stderr}${stdout}`).toContain('Pending pod default/fifth could take the room that deployment/clef-candle.llm-serving needs');
    expect(await endState(node)).toEqual(onServe);
  });

  it('takes the card in the window: halted, with the name of who has it', async () => {
    await behave(node, 'clef-serve', { linger: '2s' });
    const take = () => kubectl(node, ['create', '--filename=-'], gpuPod('thief'));
    const { exitCode, stdout, stderr } = await cutover(node, ['--set', 'ready=15s'], [[begins.waitingForTheEnd, take]]);
    expect(exitCode, `${stderr}${stdout}`).toBe(5);
    expect(stdout).toContain(`DeviceTaken: nvidia.com/gpu taken by default/thief on node ${node.nodeName}`);
    expect(await endState(node)).toEqual({ serve: '0/0', candle: '0/1', selector: { app: 'clef-serve' }, behind: [] });
  });
});

describe('two operators at the same moment', () => {
  it('do it once: nothing is written twice', async () => {
    const runs = await Promise.all([cutover(node), cutover(node)]);
    const wrote = runs.flatMap(({ stderr }) => stderr.match(/wrote \S+: (?:replicas \d|selector \S+)/g) ?? []);
    expect(wrote.toSorted(), runs.map(({ stdout, stderr }) => stderr + stdout).join('\n')).toEqual([
      'wrote deployment/clef-candle.llm-serving: replicas 1',
      'wrote deployment/clef-serve.llm-serving: replicas 0',
      'wrote service/clef-serve.llm-serving: selector app=clef-candle',
    ]);
    for (const { exitCode } of runs) expect([0, 5]).toContain(exitCode);
    expect(runs.map(({ exitCode }) => exitCode)).toContain(0);
    expect(await endState(node)).toEqual(onCandle);
  });
});
