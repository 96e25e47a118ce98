import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { kubectl } from './example.ts';
import { get, poimen, useRealNode } from './harness.ts';

interface Pods {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> } }[];
}
interface Result {
  readonly outcome: string;
  readonly probed: boolean;
  readonly steps: readonly { readonly id: string; readonly notProbed?: true; readonly evidence?: string }[];
  readonly failure?: { readonly reason: string };
}

const node = useRealNode();
const image = 'registry.example/test/client-busybox:1';

const cutoverFrom = (probeImage: string, ...more: readonly string[]) =>
  poimen(node, ['cutover', 'clef', '--yes', '--probe-image', probeImage, ...more]);

/** The client's server on the client's port, in an image with nothing else. */
const withoutTools = async (): Promise<void> => {
  const memory = { name: 'memory', image: 'registry.example/test/client-no-tools:1', env: [{ name: 'STAND_IN', value: '{"port":8000}' }] };
  const patch = JSON.stringify({ spec: { template: { spec: { containers: [memory] } } } });
  await kubectl(node, ['patch', 'deployment/poimen-memory', '--namespace=poimen', `--patch=${patch}`]);
  await kubectl(node, ['rollout', 'status', 'deployment/poimen-memory', '--namespace=poimen', '--timeout=60s']);
};

const probePods = async (): Promise<Pods['items']> =>
  (await get<Pods>(node, 'pods', '--namespace=poimen', '--selector=poimen.dev/probe')).items;

/** Asks each pod of clef-serve on its own address, from the client's side, whatever the policies say; then scales it to 0. */
const askThenScale = async (deadline: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-e2e-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'ask.yaml');
  const runbook = {
    apiVersion: 'poimen.dev/v1alpha1',
    kind: 'Runbook',
    metadata: { name: 'ask', summary: 'asks, then scales' },
    objects: { serve: 'deploy/clef-serve.llm-serving', client: 'deploy/poimen-memory.poimen' },
    steps: [
      { id: 'ask', answers: { object: 'serve', client: 'client', port: 8080, path: '/v1/systemone', consecutive: 3 }, deadline },
      { id: 'scale', scale: { object: 'serve', replicas: 0 } },
    ],
  };
  await writeFile(file, JSON.stringify(runbook));
  return file;
};

const ask = async (
  deadline: string,
): Promise<{ readonly exitCode: number | undefined; readonly result: Result; readonly stderr: string }> => {
  const { exitCode, stdout, stderr } = await poimen(node, [
    'run',
    await askThenScale(deadline),
    '--yes',
    '--probe-image',
    image,
    '-o',
    'json',
  ]);
  expect(stdout, stderr).not.toBe('');
  return { exitCode, result: JSON.parse(stdout) as Result, stderr };
};

describe('a client that has nothing to ask with', () => {
  it('is refused without a probe pod, handed over with one, and nothing is left of it', async () => {
    await withoutTools();
    const refused = await poimen(node, ['cutover', 'clef', '--yes']);
    expect(refused.exitCode, refused.stderr).toBe(3);
    expect(`${refused.stdout}${refused.stderr}`).toContain('--probe-image');

    const { exitCode, stdout, stderr } = await cutoverFrom(image, '-o', 'json');
    expect(exitCode, `${stdout}${stderr}`).toBe(0);
    expect(stderr).toContain(`a probe pod of ${image} is created in poimen for this run, and removed at its end`);
    const result = JSON.parse(stdout) as Result;
    expect(result).toMatchObject({ outcome: 'completed', probed: true });
    expect(result.steps.filter(({ notProbed }) => notProbed)).toEqual([]);
    expect(result.steps.find(({ id }) => id.endsWith('/after'))?.evidence).toMatch(/good answers in a row/);
    expect(await probePods()).toEqual([]);
  });

  it('the plan says whether the image would be pulled, and makes nothing', async () => {
    await withoutTools();
    const { stdout, exitCode } = await poimen(node, ['plan', 'clef', '--probe-image', 'registry.example/test/nobody-has-this:1']);
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toMatch(/does not report registry\.example\/test\/nobody-has-this:1: it is pulled there/);
    expect(await probePods()).toEqual([]);
  });

  it('an image that does not exist is refused before anything is changed', async () => {
    await withoutTools();
    const { exitCode, stdout, stderr } = await cutoverFrom('registry.example/test/nobody-has-this:1');
    expect(exitCode, `${stdout}${stderr}`).toBe(3);
    expect(stdout).toMatch(/probe pod for deployment\/poimen-memory\.poimen could not be used: ImagePullBackOff/);
    expect(await probePods()).toEqual([]);
    expect(await get(node, 'deployment', 'clef-serve', '--namespace=llm-serving')).toMatchObject({ spec: { replicas: 1 } });
  });

  it('an image without sleep is told to be one', async () => {
    await withoutTools();
    const { exitCode, stdout, stderr } = await cutoverFrom('registry.example/test/client-curl:1');
    expect(exitCode, `${stdout}${stderr}`).toBe(3);
    expect(stdout).toContain('its image has no `sleep`, which keeps it there');
    expect(await probePods()).toEqual([]);
  });
});

describe('a probe pod among policies', () => {
  const path = '/apis/networking.k8s.io/v1/namespaces/llm-serving/networkpolicies/llm-serving-ingress';

  it('is let through where its client is, and kept out where its client is', async () => {
    await withoutTools();
    const policy = await get<{ readonly spec: object }>(node, 'networkpolicy', 'llm-serving-ingress', '--namespace=llm-serving');
    await node.request('PATCH', path, { spec: { ingress: [] } });
    const denied = await ask('10s');
    expect(denied.exitCode, denied.stderr).toBe(3);
    expect(denied.result.failure?.reason).toMatch(/refused|timed out|no answer/);
    expect(await probePods()).toEqual([]);

    await node.request('PATCH', path, { spec: policy.spec });
    const allowed = await ask('30s');
    expect(allowed.exitCode, allowed.stderr).toBe(0);
    expect(allowed.result.steps[0]?.evidence).toContain('3 good answers in a row');
  });

  it('is kept in by the policies of its client: without a rule for it nothing goes out', async () => {
    await withoutTools();
    const labels = (
      await get<{ readonly spec: { readonly template: { readonly metadata: { readonly labels: object } } } }>(
        node,
        'deployment',
        'poimen-memory',
        '--namespace=poimen',
      )
    ).spec.template.metadata.labels;
    const egress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'nothing-out', namespace: 'poimen' },
      spec: { podSelector: { matchLabels: labels }, policyTypes: ['Egress'] },
    };
    await kubectl(node, ['delete', 'networkpolicy', '--all', '--namespace=poimen']);
    await kubectl(node, ['create', '--filename=-'], JSON.stringify(egress));
    const { exitCode, result, stderr } = await ask('10s');
    expect(exitCode, stderr).toBe(3);
    expect(result.failure?.reason).toMatch(/refused|timed out|no answer/);
  });
});

describe('a run with a probe pod that is stopped', () => {
  /** Wrapped: the run itself can be awaited. */
  const started = async (): Promise<{ readonly run: ReturnType<typeof poimen> }> => {
    await node.request('PATCH', '/apis/networking.k8s.io/v1/namespaces/llm-serving/networkpolicies/llm-serving-ingress', {
      spec: { ingress: [] },
    });
    const run = poimen(node, ['run', await askThenScale('90s'), '--yes', '--probe-image', image]);
    await eventually('the probe pod is there', async () => (await probePods()).length === 1 || 'none');
    return { run };
  };

  it('by Ctrl-C removes it', async () => {
    const { run } = await started();
    run.kill('SIGINT');
    expect((await run).exitCode).toBe(130);
    expect(await probePods()).toEqual([]);
  });

  it('by kill -9 leaves it until the next start', async () => {
    const { run } = await started();
    run.kill('SIGKILL');
    await run;
    const [left] = await probePods();
    expect(left).toBeDefined();
    const { exitCode, stderr } = await ask('3s');
    expect(exitCode, stderr).toBe(3);
    expect(await probePods()).toEqual([]);
  });
});
