import { describe, expect, it } from 'vitest';
import type { ProbeAnswer, ProbeTarget } from '../../src/cluster/prober.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { isPodReady, isTerminating, type Pod } from '../../src/kubernetes/pod.ts';
import { clusterPolicyResources } from '../../src/network/policy/policy-resources.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { createTwinProber } from '../../src/twin/prober.ts';
import { node, server, service, Simulation, type ServerOptions } from './simulation.ts';

const client = { resource: resources.deployments, namespace: 'llm-serving', name: 'client' };
const clef: ProbeTarget = { kind: 'service', namespace: 'llm-serving', name: 'clef', port: 80 };

const podTarget = ({ metadata, status }: Pod, port = 8080): ProbeTarget => ({
  kind: 'pod',
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
  ip: status?.podIP ?? '',
  port,
});

interface Setting {
  readonly simulation: Simulation;
  ask(target?: ProbeTarget, path?: string): Promise<ProbeAnswer>;
}

/** A client, a Service `clef`, and behind it a server, which is ready unless it says otherwise. */
const setUp = async (options: ServerOptions = {}, spec: Readonly<Record<string, unknown>> = {}): Promise<Setting> => {
  const simulation = new Simulation();
  simulation.create(resources.deployments, server('client'));
  simulation.create(resources.services, service('clef', { app: 'server' }, spec));
  simulation.create(resources.deployments, server('server', options));
  await simulation.passes(10_000);
  const prober = createTwinProber(simulation.store);
  return {
    simulation,
    ask: (target = clef, path) => prober.ask({ client, target, timeoutMs: 2_000, ...(path === undefined ? {} : { path }) }),
  };
};

const only = (simulation: Simulation, app = 'server'): Pod => {
  const [pod] = simulation.pods(app);
  if (pod === undefined) throw new Error('no pod');
  return pod;
};

describe('a Service', () => {
  it('answers through its pod, which is named, in a few milliseconds', async () => {
    const { simulation, ask } = await setUp();
    const before = simulation.elapsedMs;
    expect(await ask()).toEqual({ kind: 'answered', podUid: only(simulation).metadata.uid, latencyMs: 3 });
    expect(simulation.elapsedMs - before).toBe(3);
  });

  it('goes round its ready pods', async () => {
    const { simulation, ask } = await setUp({ replicas: 3 });
    const answered: (string | undefined)[] = [];
    for (let count = 0; count < 6; count++) {
      const answer = await ask();
      answered.push(answer.kind === 'answered' ? answer.podUid : answer.kind);
    }
    expect(new Set(answered.slice(0, 3))).toEqual(new Set(simulation.pods('server').map(({ metadata }) => metadata.uid)));
    expect(answered.slice(3)).toEqual(answered.slice(0, 3));
  });

  it('refuses when nobody is behind it', async () => {
    const { ask } = await setUp({ replicas: 0 });
    expect(await ask()).toEqual({ kind: 'refused', detail: 'clef.llm-serving.svc has no ready endpoints' });
  });

  it('refuses while its pod is not ready, though the pod answers itself', async () => {
    const { simulation, ask } = await setUp({ script: { fail: 'never-ready' } });
    expect(await ask()).toMatchObject({ kind: 'refused' });
    expect(await ask(podTarget(only(simulation)))).toMatchObject({ kind: 'answered' });
  });

  it('still answers through a Terminating pod that serves, when no other is left', async () => {
    const { simulation, ask } = await setUp({ script: { terminate: '20s' } });
    const { uid } = only(simulation).metadata;
    simulation.scale('server', 0);
    await simulation.until(() => simulation.pods('server').every(isTerminating));
    await simulation.passes(100);
    expect(await ask()).toMatchObject({ kind: 'answered', podUid: uid });
    await simulation.passes(30_000);
    expect(await ask()).toMatchObject({ kind: 'refused' });
  });

  it('sends to a pod that is gone until the endpoints show it: no answer', async () => {
    const simulation = new Simulation({ endpointLagMs: 5_000 });
    simulation.create(resources.deployments, server('client'));
    simulation.create(resources.services, service('clef', { app: 'server' }));
    simulation.create(resources.deployments, server('server'));
    await simulation.passes(30_000);
    simulation.scale('server', 0);
    await simulation.until(() => simulation.pods('server').length === 0);
    const ask = () => createTwinProber(simulation.store).ask({ client, target: clef, timeoutMs: 500 });
    expect(await ask()).toEqual({ kind: 'timeout', detail: 'no answer within 500 ms' });
    await simulation.passes(6_000);
    expect(await ask()).toMatchObject({ kind: 'refused' });
  });

  it('is not there, is a name for something else, or has no such port', async () => {
    const { simulation, ask } = await setUp();
    expect(await ask({ ...clef, name: 'cleff' })).toEqual({ kind: 'unresolved', detail: 'cleff.llm-serving.svc: no such host' });
    expect(await ask({ ...clef, port: 8080 })).toMatchObject({ kind: 'timeout' });
    simulation.create(
      resources.services,
      service('outside', {}, { type: 'ExternalName', externalName: 'example.com', selector: undefined, ports: undefined }),
    );
    expect(await ask({ ...clef, name: 'outside' })).toMatchObject({ kind: 'unresolved' });
  });

  it('translates a named target port on each pod', async () => {
    const { ask } = await setUp(
      { container: { ports: [{ name: 'api', containerPort: 9000 }] } },
      { ports: [{ port: 80, targetPort: 'api' }] },
    );
    expect(await ask()).toMatchObject({ kind: 'answered' });
  });

  it('with internalTrafficPolicy Local reaches nobody on other nodes', async () => {
    const { simulation, ask } = await setUp({}, { internalTrafficPolicy: 'Local' });
    expect(await ask()).toMatchObject({ kind: 'answered' });
    simulation.create(resources.nodes, node('worker-2'));
    simulation.change(resources.nodes, 'worker-1', { unschedulable: true });
    await simulation.passes(100);
    const { name, uid } = only(simulation).metadata;
    simulation.store.delete({ resource: resources.pods, namespace: 'llm-serving', name });
    await simulation.until(() => simulation.pods('server').every((pod) => pod.metadata.uid !== uid && isPodReady(pod)));
    await simulation.passes(100);
    expect(only(simulation).spec.nodeName).toBe('worker-2');
    expect(await ask()).toMatchObject({ kind: 'timeout' });
  });

  it('translates nothing when it is headless: the client dials the pod', async () => {
    const { ask } = await setUp({}, { clusterIP: 'None' });
    expect(await ask()).toMatchObject({ kind: 'refused' });
    expect(await ask({ ...clef, port: 8080 })).toMatchObject({ kind: 'answered' });
  });
});

describe('a pod', () => {
  it('refuses until it has started, and on a port that no container declares', async () => {
    const { simulation, ask } = await setUp({ script: { start: '1m' } });
    const pod = only(simulation);
    expect(await ask(podTarget(pod))).toEqual({ kind: 'refused', detail: `connection refused by ${pod.status?.podIP}:8080` });
    await simulation.until(() => simulation.pods('server').some(isPodReady));
    expect(await ask(podTarget(pod))).toMatchObject({ kind: 'answered', podUid: pod.metadata.uid });
    expect(await ask(podTarget(pod, 8081))).toMatchObject({ kind: 'refused' });
  });

  it('listens as soon as it is ready, however soon that is', async () => {
    const simulation = new Simulation({ podTimes: { startMs: 0 } });
    for (const name of ['client', 'server']) simulation.create(resources.deployments, server(name));
    await simulation.until(() => simulation.pods().filter(isPodReady).length === 2);
    const target = podTarget(only(simulation));
    expect(await createTwinProber(simulation.store).ask({ client, target, timeoutMs: 100 })).toMatchObject({ kind: 'answered' });
  });

  it('refuses while its container is down', async () => {
    const { simulation, ask } = await setUp({ script: { fail: 'crash-loop' } });
    await simulation.until(() =>
      simulation.pods('server').some(({ status }) => status?.containerStatuses?.[0]?.state?.waiting !== undefined),
    );
    expect(await ask(podTarget(only(simulation)))).toMatchObject({ kind: 'refused' });
  });

  it('answers what its annotation says, and 200 where it says nothing', async () => {
    const answers = '/v1/systemone: {status: 404, body: no such route}\n/health: {body: {engine: candle}}\n';
    const { ask } = await setUp({ script: { answers } });
    expect(await ask(clef, '/v1/systemone')).toMatchObject({ status: 404, body: 'no such route' });
    expect(await ask(clef, '/health')).toMatchObject({ status: 200, body: '{"engine":"candle"}' });
    expect(await ask(clef, '/other')).toMatchObject({ status: 200, body: '' });
    expect(await ask(clef)).not.toHaveProperty('status');
  });

  it('does not answer once it has ended', async () => {
    const { simulation, ask } = await setUp();
    const pod = only(simulation);
    simulation.store.updateStatus(
      { resource: resources.pods, namespace: 'llm-serving', name: pod.metadata.name },
      { ...pod.status, phase: 'Failed' },
    );
    expect(await ask(podTarget(pod))).toMatchObject({ kind: 'timeout' });
  });

  it('does not answer at an address that nobody has any more', async () => {
    const { simulation, ask } = await setUp();
    const target = podTarget(only(simulation));
    simulation.scale('server', 0);
    await simulation.until(() => simulation.pods('server').length === 0);
    expect(await ask(target)).toMatchObject({ kind: 'timeout' });
  });
});

describe('policies', () => {
  const policy = (name: string, spec: Readonly<Record<string, unknown>>): KubernetesObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace: 'llm-serving' },
    spec,
  });
  const closed = policy('closed', { podSelector: { matchLabels: { app: 'server' } }, policyTypes: ['Ingress'] });
  const fromClient = (port: number) =>
    policy('open', {
      podSelector: { matchLabels: { app: 'server' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'client' } } }], ports: [{ port }] }],
    });

  it('let a packet vanish: nothing comes back until the time is over', async () => {
    const { simulation, ask } = await setUp();
    simulation.create(resources.networkPolicies, closed);
    const before = simulation.elapsedMs;
    expect(await ask()).toEqual({ kind: 'timeout', detail: 'no answer within 2000 ms' });
    expect(simulation.elapsedMs - before).toBe(2_000);
  });

  it("decide on the pod's port, not on the Service's", async () => {
    const { simulation, ask } = await setUp();
    simulation.create(resources.networkPolicies, closed);
    simulation.create(resources.networkPolicies, fromClient(80));
    expect(await ask()).toMatchObject({ kind: 'timeout' });
    simulation.store.update(resources.networkPolicies, fromClient(8080));
    expect(await ask()).toMatchObject({ kind: 'answered' });
  });

  it('may be those of the whole cluster', async () => {
    const { simulation, ask } = await setUp();
    const [resource] = clusterPolicyResources;
    if (resource === undefined) throw new Error('no cluster-wide kind is known');
    const { group, version, plural, kind } = resource;
    simulation.create(resources.customResourceDefinitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: { group, scope: 'Cluster', names: { plural, kind }, versions: [{ name: version, served: true, storage: true }] },
    });
    const everyPod = { namespaces: {} };
    simulation.create(resource, {
      apiVersion: 'policy.networking.k8s.io/v1beta1',
      kind: 'ClusterNetworkPolicy',
      metadata: { name: 'deny-all' },
      spec: { tier: 'Admin', priority: 1, subject: everyPod, ingress: [{ action: 'Deny', from: [everyPod] }] },
    });
    expect(await ask()).toMatchObject({ kind: 'timeout' });
  });

  it('keep the client from sending', async () => {
    const { simulation, ask } = await setUp();
    simulation.create(
      resources.networkPolicies,
      policy('mute', { podSelector: { matchLabels: { app: 'client' } }, policyTypes: ['Egress'] }),
    );
    expect(await ask()).toMatchObject({ kind: 'timeout' });
  });
});

describe('a client', () => {
  it('without a running pod cannot ask', async () => {
    const { simulation, ask } = await setUp();
    simulation.scale('client', 0);
    await simulation.until(() => simulation.pods('client').length === 0);
    expect(await ask()).toEqual({ kind: 'unasked', detail: 'no pod of deployment/client.llm-serving runs' });
  });

  it('cannot ask either while its pod has not started, or is on its way out', async () => {
    const { simulation, ask } = await setUp();
    simulation.create(resources.deployments, server('waiting', { gpus: 5 }));
    await simulation.passes(100);
    const asWaiting = { resource: resources.deployments, namespace: 'llm-serving', name: 'waiting' };
    expect(await createTwinProber(simulation.store).ask({ client: asWaiting, target: clef, timeoutMs: 100 })).toMatchObject({
      kind: 'unasked',
    });
    simulation.scale('client', 0);
    await simulation.until(() => simulation.pods('client').every(isTerminating));
    expect(await ask()).toMatchObject({ kind: 'unasked' });
  });

  it('may be a pod', async () => {
    const { simulation } = await setUp();
    const asPod = { resource: resources.pods, namespace: 'llm-serving', name: only(simulation, 'client').metadata.name };
    expect(await createTwinProber(simulation.store).ask({ client: asPod, target: clef, timeoutMs: 100 })).toMatchObject({
      kind: 'answered',
    });
  });

  it('stops asking when it is told to', async () => {
    const { simulation } = await setUp();
    const aborted = createTwinProber(simulation.store).ask(
      { client, target: clef, timeoutMs: 100 },
      AbortSignal.abort(new Error('enough')),
    );
    await expect(aborted).rejects.toThrow('enough');
  });
});
