import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allocatableOf, type Node } from '../../src/kubernetes/node.ts';
import { isPodReady, type Pod } from '../../src/kubernetes/pod.ts';
import { podRequests } from '../../src/kubernetes/pod-requests.ts';
import { resources, type Resource } from '../../src/kubernetes/resource.ts';
import type { Deployment } from '../../src/kubernetes/deployment.ts';
import { endpointsOf, serviceNameLabel, type EndpointSlice } from '../../src/kubernetes/endpoint-slice.ts';
import { matchesEqualities } from '../../src/kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import type { Service } from '../../src/kubernetes/service.ts';
import { openTwin, type Twin } from '../../src/twin/open-twin.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

const folder = join(import.meta.dirname, '../../examples/llm-serving');

let twin: Twin;
let stateFolder: string;

beforeAll(async () => {
  stateFolder = mkdtempSync(join(tmpdir(), 'poimen-test-'));
  twin = await openTwin({ folder, stateFolder });
});

afterAll(async () => {
  await twin.close();
  rmSync(stateFolder, { recursive: true, force: true });
});

const list = async <T extends KubernetesObject>(resource: Resource, namespace?: string): Promise<readonly T[]> =>
  (await twin.cluster.list({ resource, ...(namespace === undefined ? {} : { namespace }) })).items as readonly T[];

const podsOf = async (deployment: string): Promise<readonly Pod[]> =>
  (await list<Pod>(resources.pods)).filter(({ metadata }) => metadata.name.startsWith(`${deployment}-`));

/** The pods that answer for a Service, by the workload they belong to. */
const backendsOf = async (service: string): Promise<readonly string[]> => {
  const slices = (await list<EndpointSlice>(resources.endpointSlices)).filter(
    ({ metadata }) => metadata.labels?.[serviceNameLabel] === service,
  );
  return endpointsOf(slices).ready.map(({ podName = '' }) => podName.replace(/-[^-]+-[^-]+$/, ''));
};

const ask = (client: string, namespace: string, service: string, port: number, path?: string) =>
  twin.prober.ask({
    client: { resource: resources.deployments, namespace: client.startsWith('poimen') ? 'poimen' : 'llm-serving', name: client },
    target: { kind: 'service', namespace, name: service, port },
    timeoutMs: 2_000,
    ...(path === undefined ? {} : { path }),
  });

describe('the example cluster before any hand-over', () => {
  it('has all its pods ready, on one node', async () => {
    const pods = await list<Pod>(resources.pods);
    expect(pods.map(({ metadata }) => metadata.name.replace(/-[^-]+-[^-]+$/, '')).toSorted()).toEqual([
      'clef-serve',
      'coder-predictor',
      'poimen-graphql',
      'poimen-memory',
      'reasoning-predictor',
    ]);
    expect(pods.every(isPodReady)).toBe(true);
    expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(['worker-1']));
  });

  it('has four of four cards booked, and memory for either clef, but for no 24 GiB more', async () => {
    const [worker] = await list<Node>(resources.nodes);
    const booked = (await list<Pod>(resources.pods)).map(({ spec }) => podRequests(spec));
    const sum = (name: string): number => booked.reduce((total, requests) => total + (requests[name] ?? 0), 0);
    const allocatable = worker === undefined ? {} : allocatableOf(worker);
    expect(allocatable).toMatchObject({ 'nvidia.com/gpu': 4, memory: 63_495 * 2 ** 20 });
    expect(sum('nvidia.com/gpu')).toBe(4);
    expect(sum('memory') + 24 * 2 ** 30).toBeGreaterThan(allocatable.memory ?? 0);
    const candle = await twin.cluster.get({ resource: resources.deployments, namespace: 'llm-serving', name: 'clef-candle' });
    const needed = podRequests((candle as Deployment).spec.template.spec);
    const [serving] = await podsOf('clef-serve');
    expect(sum('memory') - (podRequests(serving?.spec ?? { containers: [] }).memory ?? 0) + (needed.memory ?? 0)).toBeLessThan(
      allocatable.memory ?? 0,
    );
    expect(needed['nvidia.com/gpu']).toBe(1);
  });

  it.each([
    ['clef-serve', ['clef-serve']],
    ['coder-predictor', ['coder-predictor']],
    ['reasoning-predictor', ['reasoning-predictor']],
    ['reasoning-long-predictor', ['reasoning-predictor']],
    ['poimen-memory', ['poimen-memory']],
    ['poimen-graphql', ['poimen-graphql']],
  ])('serves %s by %s', async (service, workloads) => {
    expect(await backendsOf(service)).toEqual(workloads);
  });

  it('has exactly one workload for each selector, parked ones included', async () => {
    const deployments = await list<Deployment>(resources.deployments);
    for (const { metadata, spec } of await list<Service>(resources.services)) {
      const matching = deployments.filter(
        (found) =>
          found.metadata.namespace === metadata.namespace && matchesEqualities(spec.selector, found.spec.template.metadata?.labels),
      );
      expect([metadata.name, matching.length]).toEqual([metadata.name, 1]);
    }
  });

  it('has clef-candle parked: a moving tag that is always pulled, the command of the claim, the claim read-only, runtime nvidia, Recreate', async () => {
    const candle = (await twin.cluster.get({
      resource: resources.deployments,
      namespace: 'llm-serving',
      name: 'clef-candle',
    })) as Deployment;
    expect(candle.spec.replicas).toBe(0);
    expect(await podsOf('clef-candle')).toEqual([]);
    expect(candle.spec.strategy).toEqual({ type: 'Recreate' });
    const { runtimeClassName, containers } = candle.spec.template.spec;
    expect(runtimeClassName).toBe('nvidia');
    expect(containers[0]).toMatchObject({
      imagePullPolicy: 'Always',
      command: ['/mnt/models/bin/candle-vllm'],
      volumeMounts: [{ name: 'models', mountPath: '/mnt/models', readOnly: true }],
    });
    expect(containers[0]?.image).toMatch(/:sm70$/);
  });

  it('has its claim bound', async () => {
    const claim = await twin.cluster.get({ resource: resources.persistentVolumeClaims, namespace: 'llm-serving', name: 'llm-models' });
    expect(claim).toMatchObject({ spec: { volumeName: 'llm-models' }, status: { phase: 'Bound' } });
  });

  it('lets poimen-memory reach clef, which says what it is, and the GraphQL server', async () => {
    const [pod] = await podsOf('clef-serve');
    expect(await ask('poimen-memory', 'llm-serving', 'clef-serve', 80, '/v1/systemone')).toMatchObject({
      kind: 'answered',
      status: 200,
      body: '{"model":"clef-flash","engine":"pytorch"}',
      podUid: pod?.metadata.uid,
    });
    expect(await ask('poimen-memory', 'poimen', 'poimen-graphql', 8090)).toMatchObject({ kind: 'answered' });
    expect(await ask('coder-predictor', 'llm-serving', 'clef-serve', 80)).toMatchObject({ kind: 'answered' });
  });

  it('lets poimen-memory reach nothing that it has no business with', async () => {
    expect(await ask('poimen-memory', 'poimen', 'poimen-memory', 80)).toMatchObject({ kind: 'answered' }); // itself
    expect(await ask('poimen-graphql', 'poimen', 'poimen-memory', 80)).toMatchObject({ kind: 'answered' });
    expect(await ask('poimen-memory', 'llm-serving', 'clef-serve', 8080)).toMatchObject({ kind: 'timeout' }); // the Service has no such port
  });
});
