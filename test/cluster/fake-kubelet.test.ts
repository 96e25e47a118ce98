import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { createFakeNode, startKwok } from './kwok.ts';

interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly hostIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly containerStatuses?: readonly {
      readonly imageID: string;
      readonly restartCount: number;
      readonly state: { readonly waiting?: { readonly reason: string }; readonly running?: object };
    }[];
  };
}

const pods = '/api/v1/namespaces/default/pods';

describe('the kubelets that kwok plays', () => {
  let cluster: ControlPlane;

  beforeAll(async () => {
    cluster = await startControlPlane();
    await startKwok(cluster);
    await createFakeNode(cluster);
  });

  afterAll(() => cluster.stop());

  it('lets four of six one-GPU pods run on a node with four GPUs', async () => {
    const template = {
      metadata: { labels: { app: 'gpu' } },
      spec: { containers: [{ name: 'c', image: 'example.com/clef:1', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
    };
    const created = await cluster.request('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'gpu' },
      spec: { replicas: 6, selector: { matchLabels: { app: 'gpu' } }, template },
    });
    expect(created.status).toBe(201);
    await eventually(async () => {
      const { body } = await cluster.request('GET', `${pods}?labelSelector=app%3Dgpu`);
      const summary = (body as { readonly items: readonly Pod[] }).items.map((pod) => `${pod.status.phase} ${isReady(pod)}`).toSorted();
      expect(summary).toEqual(['Pending false', 'Pending false', 'Running true', 'Running true', 'Running true', 'Running true']);
    });
  });

  it('reports what a kubelet reports of a ready pod', async () => {
    await create('plain', {});
    await eventually(async () => {
      const { status } = await get('plain');
      expect(status.conditions?.map((condition) => `${condition.type}=${condition.status}`).toSorted()).toEqual([
        'ContainersReady=True',
        'Initialized=True',
        'PodReadyToStartContainers=True',
        'PodScheduled=True',
        'Ready=True',
      ]);
      expect(status.podIP).toMatch(/^10\.244\.0\.\d+$/);
      expect(status.hostIP).toBe('192.0.2.101');
      expect(status.containerStatuses?.[0]?.imageID).toMatch(/^example\.com:5000\/clef@sha256:[0-9a-f]{64}$/);
    });
  });

  it.each([
    ['image-not-found', 'ImagePullBackOff'],
    ['unauthorized', 'ImagePullBackOff'],
    ['registry-unavailable', 'ImagePullBackOff'],
    ['config-error', 'CreateContainerConfigError'],
    ['crash-loop', 'CrashLoopBackOff'],
  ])('fail: %s shows as %s', async (failure, reason) => {
    await create(failure, { 'twin.poimen.dev/fail': failure });
    await eventually(async () => expect((await get(failure)).status.containerStatuses?.[0]?.state.waiting?.reason).toBe(reason));
    expect((await get(failure)).status.containerStatuses?.[0]?.restartCount).toBe(failure === 'crash-loop' ? 1 : 0);
  });

  it('a pod that never gets ready does once the failure is taken away, and is lost again when it comes back', async () => {
    await create('unready', { 'twin.poimen.dev/fail': 'never-ready' });
    await eventually(async () => expect((await get('unready')).status.containerStatuses?.[0]?.state.running).toBeDefined());
    expect(isReady(await get('unready'))).toBe(false);
    await annotate('unready', { 'twin.poimen.dev/fail': null });
    await eventually(async () => expect(isReady(await get('unready'))).toBe(true));
    await annotate('unready', { 'twin.poimen.dev/fail': 'never-ready' });
    await eventually(async () => expect(isReady(await get('unready'))).toBe(false));
  });

  it('a ready pod that starts to crash is not ready any more', async () => {
    await create('crashes-later', {});
    await eventually(async () => expect(isReady(await get('crashes-later'))).toBe(true));
    await annotate('crashes-later', { 'twin.poimen.dev/fail': 'crash-loop' });
    await eventually(async () => {
      const pod = await get('crashes-later');
      expect(isReady(pod)).toBe(false);
      expect(pod.status.containerStatuses?.[0]?.state.waiting?.reason).toBe('CrashLoopBackOff');
    });
  });

  it('waits for a readiness gate, and follows it', async () => {
    await create('gated', {}, { readinessGates: [{ conditionType: 'example.com/open' }] });
    await eventually(async () => expect(condition(await get('gated'), 'Ready')?.reason).toBe('ReadinessGatesNotReady'));
    expect(condition(await get('gated'), 'ContainersReady')?.status).toBe('True');
    for (const status of ['True', 'False', 'True']) {
      const { body } = await cluster.request('GET', `${pods}/gated`);
      const conditions = [
        ...((body as Pod).status.conditions ?? []).filter(({ type }) => type !== 'example.com/open'),
        { type: 'example.com/open', status },
      ];
      await cluster.request('PATCH', `${pods}/gated/status`, { status: { conditions } });
      await eventually(async () => expect(isReady(await get('gated'))).toBe(status === 'True'));
    }
  });

  it('takes the time that the annotations give', async () => {
    const startedAt = performance.now();
    await create('timed', { 'twin.poimen.dev/pull': '500ms', 'twin.poimen.dev/start': '1s', 'twin.poimen.dev/terminate': '2s' });
    await eventually(async () => expect(isReady(await get('timed'))).toBe(true));
    expect(performance.now() - startedAt).toBeGreaterThan(1_500);
    const deletedAt = performance.now();
    await cluster.request('DELETE', `${pods}/timed`);
    expect((await get('timed')).metadata.deletionTimestamp).toBeDefined();
    await eventually(async () => expect((await cluster.request('GET', `${pods}/timed`)).status).toBe(404));
    expect(performance.now() - deletedAt).toBeGreaterThan(2_000);
  });

  it('never finishes a deletion with terminate: never', async () => {
    await create('stuck', { 'twin.poimen.dev/terminate': 'never' });
    await eventually(async () => expect(isReady(await get('stuck'))).toBe(true));
    await cluster.request('DELETE', `${pods}/stuck`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await get('stuck')).metadata.deletionTimestamp).toBeDefined();
  });

  async function create(name: string, annotations: Readonly<Record<string, string>>, spec: object = {}): Promise<void> {
    const created = await cluster.request('POST', pods, {
      metadata: { name, annotations },
      spec: { containers: [{ name: 'c', image: 'example.com:5000/clef:1' }], ...spec },
    });
    expect(created.status).toBe(201);
  }

  async function get(name: string): Promise<Pod> {
    return (await cluster.request('GET', `${pods}/${name}`)).body as Pod;
  }

  async function annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    expect((await cluster.request('PATCH', `${pods}/${name}`, { metadata: { annotations } })).status).toBe(200);
  }
});

const condition = (pod: Pod, type: string) => pod.status.conditions?.find((candidate) => candidate.type === type);

const isReady = (pod: Pod): boolean => condition(pod, 'Ready')?.status === 'True';

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 100 });
