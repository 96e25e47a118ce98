import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { kubectl } from './example.ts';
import { get, poimen, useRealNode } from './harness.ts';

interface ProbesOfPlan {
  readonly client: string;
  readonly pod: string;
  readonly container: string;
  readonly http?: string;
  readonly tools: readonly { readonly name: string; readonly version?: string }[];
}
interface Plan {
  readonly probing: boolean;
  readonly probes?: readonly ProbesOfPlan[];
  readonly blockers: readonly { readonly code: string; readonly reason: string; readonly nextSteps: readonly string[] }[];
}
interface Result {
  readonly outcome: string;
  readonly probed: boolean;
  readonly steps: readonly { readonly id: string; readonly evidence?: string; readonly notProbed?: true }[];
}

const node = useRealNode();

/** The client runs another image: the same server, with other tools beside it. */
const withTools = async (image: string): Promise<void> => {
  const env = [{ name: 'STAND_IN', value: JSON.stringify({ port: 8000 }) }];
  const template = { spec: { containers: [{ name: 'memory', image: `registry.example/test/${image}:1`, env }] } };
  const patch = JSON.stringify({ spec: { template } });
  await kubectl(node, ['patch', 'deployment/poimen-memory', '--namespace=poimen', `--patch=${patch}`]);
  await kubectl(node, ['rollout', 'status', 'deployment/poimen-memory', '--namespace=poimen', '--timeout=60s']);
};

const plan = async (): Promise<Plan> => {
  const { stdout, stderr } = await poimen(node, ['plan', 'clef', '-o', 'json']);
  if (stdout === '') expect.fail(stderr);
  return JSON.parse(stdout) as Plan;
};

describe('what a client pod has to ask with', () => {
  it.each([
    ['client-busybox', 'wget (busybox)'],
    ['client-curl', 'curl'],
    ['client-bash', 'bash (/dev/tcp)'],
  ])('%s: %s', async (image, tool) => {
    await withTools(image);
    const { probes = [], blockers, probing } = await plan();
    expect(blockers).toEqual([]);
    expect(probing).toBe(true);
    expect(probes).toMatchObject([
      { client: 'deployment/poimen-memory.poimen', pod: expect.stringMatching(/^poimen-memory-/), http: tool },
    ]);
    expect(probes[0]?.tools.find(({ name }) => name === tool)?.version).toMatch(/^\d/);
  });

  it('nothing: refused, with what to do about it', async () => {
    await withTools('client-no-tools');
    const { exitCode, stdout, stderr } = await poimen(node, ['cutover', 'clef', '--yes']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 3 });
    expect(`${stdout}${stderr}`).toContain(
      'has nothing to ask with: no shell, and none of curl, bash, python3, python, node, wget, nc, ncat',
    );
    expect(`${stdout}${stderr}`).toContain('--probe-image IMAGE');
    expect(`${stdout}${stderr}`).toContain('--no-probe');
    expect(await get(node, 'deployment', 'clef-serve', '--namespace=llm-serving')).toMatchObject({ spec: { replicas: 1 } });
  });
});

describe('a hand-over that is probed from the pod of its client', () => {
  it.each(['client-curl', 'client-bash', undefined])('%s: forward', async (image) => {
    if (image !== undefined) await withTools(image);
    const { exitCode, stdout, stderr } = await poimen(node, ['cutover', 'clef', '--yes', '-o', 'json']);
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
    const result = JSON.parse(stdout) as Result;
    expect(result).toMatchObject({ outcome: 'completed', probed: true });
    expect(result.steps.filter(({ notProbed }) => notProbed)).toEqual([]);
    expect(result.steps.find(({ id }) => id.endsWith('/after'))?.evidence).toMatch(
      /\d+ good answers in a row over \d.* \(p50 [\d.]+ ms, p90 [\d.]+ ms, max [\d.]+ ms\)$/,
    );
  });

  it('halts before the switch when the new pod is ready and does not know the route', async () => {
    const answers = { '/v1/systemone': { status: 404 } };
    await kubectl(node, ['set', 'env', 'deployment/clef-candle', '--namespace=llm-serving', `STAND_IN=${JSON.stringify({ answers })}`]);
    const folder = await mkdtemp(join(tmpdir(), 'poimen-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const shipped = await readFile(join(import.meta.dirname, '../../runbooks/clef.yaml'), 'utf8');
    const impatient = join(folder, 'clef.yaml');
    await writeFile(impatient, shipped.replace('deadlines:\n', 'deadlines:\n        answers: 4s\n'));
    const { exitCode, stdout, stderr } = await poimen(node, ['cutover', impatient, '--yes']);
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 5 });
    expect(stdout).toMatch(/at hand-over\/new-answers: .*HTTP 404 to \/v1\/systemone/);
    expect(await get(node, 'service', 'clef-serve', '--namespace=llm-serving')).toMatchObject({
      spec: { selector: { app: 'clef-serve' } },
    });
  });
});

describe('a user who may not start processes in pods', () => {
  it('is refused before the first write, with the rule that is missing', async () => {
    await kubectl(node, ['create', 'clusterrolebinding', 'looker', '--clusterrole=view', '--user=looker']);
    try {
      const { stdout, stderr } = await poimen(node, ['plan', 'clef', '-o', 'json', '--as', 'looker']);
      if (stdout === '') expect.fail(stderr);
      const refusal = (JSON.parse(stdout) as Plan).blockers.find(({ code }) => code === 'ForbiddenToExec');
      expect(refusal?.reason).toMatch(/^pods "poimen-memory-\S+" is forbidden: User "looker" cannot (get|create) resource "pods\/exec"/);
      expect(refusal?.nextSteps[0]).toContain('{apiGroups: [""], resources: ["pods/exec"], verbs: ["create", "get"]}');
    } finally {
      await kubectl(node, ['delete', 'clusterrolebinding', 'looker']);
    }
  });
});
