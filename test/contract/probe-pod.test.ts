import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock/system-clock.ts';
import { ListWatch } from '../../src/cluster/list-watch.ts';
import { fieldManager, type Cluster } from '../../src/cluster/cluster.ts';
import type { EndpointSlice } from '../../src/kubernetes/endpoint-slice.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { isPodReady, type Pod } from '../../src/kubernetes/pod.ts';
import type { ObjectReference } from '../../src/kubernetes/reference.ts';
import { apiVersionOf, resources, type Resource } from '../../src/kubernetes/resource.ts';
import { makerAnnotation, probeLabel } from '../../src/network/probe/probe-pod-marks.ts';
import { withProbePods } from '../../src/network/probe/with-probe-pod.ts';
import { clearNamespace } from './clear-namespace.ts';
import { eventually } from './eventually.ts';
import { connectReal, describeOnRealCluster, kubeconfigPath, newNamespace } from './live/real-cluster.ts';

const root = resolve(import.meta.dirname, '../..');

/** A namespace on the real control plane with a client that runs (as far as kwok runs anything). */
class Bench {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly warnings: string[] = [];

  private constructor(cluster: Cluster, namespace: string) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  static async open(): Promise<Bench> {
    const cluster = await connectReal();
    const namespace = await newNamespace(cluster);
    onTestFinished(() => clearNamespace(cluster, namespace));
    const bench = new Bench(cluster, namespace);
    await bench.until(resources.serviceAccounts, (accounts) => accounts.some(({ metadata }) => metadata.name === 'default'));
    return bench;
  }

  create(
    resource: Resource,
    name: string,
    fields: Readonly<Record<string, unknown>>,
    labels?: Readonly<Record<string, string>>,
  ): Promise<KubernetesObject> {
    const metadata = { name, namespace: this.namespace, ...(labels === undefined ? {} : { labels }) };
    return this.cluster.create(
      resource,
      { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, ...fields },
      { fieldManager },
    );
  }

  until(resource: Resource, isAsWanted: (items: readonly KubernetesObject[]) => boolean): Promise<readonly KubernetesObject[]> {
    return eventually({ cluster: this.cluster, clock: systemClock }, { resource, namespace: this.namespace }, isAsWanted);
  }

  /** A workload called `client` with one pod that is ready. */
  async client(resource: Resource, spec: Readonly<Record<string, unknown>> = {}): Promise<ObjectReference> {
    const selector = resource.kind === 'ReplicationController' ? { app: 'client' } : { matchLabels: { app: 'client' } };
    await this.create(resource, 'client', { spec: { replicas: 1, selector, template, ...spec } });
    await this.until(resources.pods, (pods) => pods.some((pod) => isPodReady(pod as Pod)));
    return { resource, namespace: this.namespace, name: 'client' };
  }

  /** Its label is one that a policy goes by, so that a probe pod has to carry it. */
  policy(): Promise<KubernetesObject> {
    return this.create(resources.networkPolicies, 'client', {
      spec: { podSelector: { matchLabels: { app: 'client' } }, policyTypes: ['Ingress'] },
    });
  }

  probing<T>(client: ObjectReference, use: (pod: Pod) => Promise<T>, signal = new AbortController().signal): Promise<T> {
    return withProbePods(
      {
        cluster: this.cluster,
        clock: systemClock,
        clients: [client],
        wish: { image: 'tools:1', run: 'run-1', maker: 'this process', deadlineSeconds: 600 },
        randomName: () => Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString('hex'),
        isGone: () => false,
        warn: (message) => void this.warnings.push(message),
        signal,
      },
      async () => use(await this.probePod()),
    );
  }

  async probePods(): Promise<readonly Pod[]> {
    return (await this.cluster.list({ resource: resources.pods, namespace: this.namespace, labelSelector: probeLabel }))
      .items as readonly Pod[];
  }

  async probePod(): Promise<Pod> {
    const [pod, ...others] = await this.probePods();
    expect(others).toEqual([]);
    return pod ?? expect.fail('there is no probe pod');
  }

  async endpoints(service: string): Promise<readonly (string | undefined)[]> {
    const selection = {
      resource: resources.endpointSlices,
      namespace: this.namespace,
      labelSelector: `kubernetes.io/service-name=${service}`,
    };
    const { items } = await this.cluster.list(selection);
    return (items as readonly EndpointSlice[]).flatMap(({ endpoints }) => endpoints ?? []).map(({ targetRef }) => targetRef?.name);
  }
}

const container = {
  name: 'main',
  image: 'registry.example/client:1',
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};
const template = { metadata: { labels: { app: 'client', tier: 'backend' } }, spec: { containers: [container] } };

const ownersOf = ({ metadata }: Pod): readonly string[] =>
  (metadata.ownerReferences ?? []).map(({ kind, controller }) => `${kind}${controller === true ? ' (controller)' : ''}`);

describeOnRealCluster('a probe pod', () => {
  it('is admitted where the restricted Pod Security Standard is enforced and a quota asks for requests and limits, runs, and is never ready', async () => {
    const bench = await Bench.open();
    const client = await bench.client(resources.deployments, {
      template: {
        ...template,
        spec: {
          containers: [{ ...container, resources: { requests: { cpu: '10m', memory: '8Mi' }, limits: { cpu: '10m', memory: '8Mi' } } }],
        },
      },
    });
    await bench.create(resources.resourceQuotas, 'all', {
      spec: { hard: { 'requests.cpu': '1', 'limits.cpu': '1', 'requests.memory': '1Gi', 'limits.memory': '1Gi' } },
    });
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/enforce-version': 'latest' };
    await bench.cluster.patch(
      { resource: resources.namespaces, name: bench.namespace },
      { type: 'merge', body: { metadata: { labels } } },
      { fieldManager },
    );
    await bench.until(resources.resourceQuotas, (quotas) => (quotas[0]?.['status'] as { hard?: object } | undefined)?.hard !== undefined);
    // enforced, or nothing is shown: a pod that breaks the standard is turned away
    await expect(bench.create(resources.pods, 'root', { spec: { containers: [{ name: 'main', image: 'root:1' }] } })).rejects.toThrow(
      /violates PodSecurity "restricted/,
    );

    await bench.probing(client, async (pod) => {
      expect(pod.status?.phase).toBe('Running');
      await bench.until(resources.pods, (pods) =>
        pods.some(
          (other) =>
            other.metadata.uid === pod.metadata.uid &&
            (other as Pod).status?.conditions?.some(({ type, status }) => type === 'ContainersReady' && status === 'True') === true,
        ),
      );
      expect(isPodReady(await bench.probePod())).toBe(false);
    });
    expect(await bench.probePods()).toEqual([]);
    expect(bench.warnings).toEqual([]);
  });

  it.each([
    { resource: resources.deployments, owner: 'Deployment (controller)' },
    { resource: resources.statefulSets, owner: 'StatefulSet' },
    { resource: resources.replicaSets, owner: 'Pod (controller)' },
    { resource: resources.replicationControllers, owner: 'Pod (controller)' },
  ])('with all labels of a $resource.kind is not adopted, counted or replaced by it', async ({ resource, owner }) => {
    const bench = await Bench.open();
    await bench.policy();
    const client = await bench.client(resource);
    await bench.probing(client, async (pod) => {
      expect(pod.metadata.labels).toMatchObject({ app: 'client', tier: 'backend' });
      expect(ownersOf(pod)).toEqual([owner]);
      // The controller has looked at the pods after the probe pod was there: it made one more, and another one stays at two.
      await bench.cluster.patch(client, { type: 'merge', body: { spec: { replicas: 2 } } }, { fieldManager });
      await bench.until(resources.pods, (pods) => pods.filter((other) => isPodReady(other as Pod)).length === 2);
      await bench.until(resource, ([workload]) => (workload?.['status'] as { replicas?: number } | undefined)?.replicas === 2);
      expect((await bench.cluster.list({ resource: resources.pods, namespace: bench.namespace })).items).toHaveLength(3);
      expect(ownersOf(await bench.probePod())).toEqual([owner]);
    });
    expect(await bench.probePods()).toEqual([]);
  });

  it('a bare pod of the same labels would be adopted: the above shows something', async () => {
    const bench = await Bench.open();
    await bench.client(resources.replicaSets, { replicas: 2 });
    await bench.until(resources.pods, (pods) => pods.filter((pod) => isPodReady(pod as Pod)).length === 2);
    await bench.create(resources.pods, 'poimen-probe-barex', { spec: { containers: [container] } }, { app: 'client', tier: 'backend' });
    // taken over as the third of two, and removed again
    await bench.until(
      resources.pods,
      (pods) => pods.length === 2 && pods.every(({ metadata }) => metadata.deletionTimestamp === undefined),
    );
  });

  it('with all labels of a Job is neither adopted nor counted', async () => {
    const bench = await Bench.open();
    await bench.policy();
    await bench.create(resources.jobs, 'client', {
      spec: {
        manualSelector: true,
        selector: { matchLabels: { app: 'client' } },
        template: {
          metadata: { ...template.metadata, annotations: { 'twin.poimen.dev/start': '10m' } }, // one that is ready ends a second later
          spec: { ...template.spec, restartPolicy: 'Never' },
        },
      },
    });
    const isRunning = (pod: KubernetesObject): boolean => (pod as Pod).status?.phase === 'Running';
    await bench.until(resources.pods, (pods) => pods.some(isRunning));
    await bench.probing({ resource: resources.jobs, namespace: bench.namespace, name: 'client' }, async (pod) => {
      expect(ownersOf(pod)).toEqual(['Pod (controller)']);
    });
    expect(await bench.probePods()).toEqual([]);
  });

  it('is in no EndpointSlice of a Service that publishes addresses that are not ready', async () => {
    const bench = await Bench.open();
    const client = await bench.client(resources.deployments);
    const spec = { selector: { app: 'client' }, ports: [{ name: 'a', port: 80 }], publishNotReadyAddresses: true };
    await bench.create(resources.services, 'client', { spec });
    await bench.create(resources.services, 'headless', { spec: { ...spec, clusterIP: 'None' } });
    await bench.probing(client, async (pod) => {
      expect(pod.metadata.labels).not.toHaveProperty('app');
      for (const service of ['client', 'headless']) {
        // The controller has looked again since the probe pod runs: the slices have the port that was added meanwhile.
        await bench.cluster.patch(
          { resource: resources.services, namespace: bench.namespace, name: service },
          { type: 'merge', body: { spec: { ports: [{ name: 'b', port: 81 }] } } },
          { fieldManager },
        );
        await bench.until(resources.endpointSlices, (slices) =>
          slices.some(
            (slice) =>
              slice.metadata.labels?.['kubernetes.io/service-name'] === service && (slice as EndpointSlice).ports?.[0]?.name === 'b',
          ),
        );
        expect(await bench.endpoints(service)).toEqual([expect.stringMatching(/^client-/)]);
      }
    });
  });

  it('that has to carry what a Service selects gets no connection from it', async () => {
    const bench = await Bench.open();
    await bench.policy();
    const client = await bench.client(resources.deployments);
    await bench.create(resources.services, 'client', { spec: { selector: { app: 'client' }, ports: [{ port: 80 }] } });
    await bench.probing(client, async (pod) => {
      const slices = await bench.until(
        resources.endpointSlices,
        ([slice]) => ((slice as EndpointSlice | undefined)?.endpoints ?? []).length === 2,
      );
      const probe = (slices as readonly EndpointSlice[])
        .flatMap(({ endpoints }) => endpoints ?? [])
        .find(({ targetRef }) => targetRef?.uid === pod.metadata.uid);
      expect(probe?.conditions).toEqual({ ready: false, serving: false, terminating: false });
    });
  });

  it('leaves a disruption budget’s sum as it is', async () => {
    const bench = await Bench.open();
    await bench.policy();
    const client = await bench.client(resources.deployments);
    await bench.probing(client, async (pod) => {
      expect(pod.metadata.labels).toMatchObject({ app: 'client' });
      await bench.create(resources.podDisruptionBudgets, 'client', {
        spec: { selector: { matchLabels: { app: 'client' } }, maxUnavailable: '100%' },
      });
      const [budget] = await bench.until(
        resources.podDisruptionBudgets,
        ([one]) => (one?.['status'] as { observedGeneration?: number } | undefined)?.observedGeneration === 1,
      );
      expect(budget?.['status']).toMatchObject({ expectedPods: 1, currentHealthy: 1, desiredHealthy: 0, disruptionsAllowed: 1 });
    });
  });

  it('an abort while it starts leaves none', async () => {
    const bench = await Bench.open();
    const client = await bench.client(resources.deployments);
    const abort = new AbortController();
    const watch = new ListWatch({
      cluster: bench.cluster,
      clock: systemClock,
      selection: { resource: resources.pods, namespace: bench.namespace, labelSelector: probeLabel },
      changed: ({ type }) => type === 'ADDED' && abort.abort(new Error('interrupted')),
    });
    await watch.start();
    onTestFinished(() => watch.stop());
    await expect(bench.probing(client, () => Promise.reject(new Error('used')), abort.signal)).rejects.toThrow('interrupted');
    expect(await bench.probePods()).toEqual([]);
  });

  it('goes with its client', async () => {
    const bench = await Bench.open();
    const client = await bench.client(resources.deployments);
    await bench.probing(client, async (pod) => {
      await bench.cluster.delete(client);
      await bench.until(resources.pods, (pods) => pods.every(({ metadata }) => metadata.uid !== pod.metadata.uid));
    });
    expect(bench.warnings).toEqual([]);
  });
});

/** A run of poimen as a process of its own. It asks from the probe pod, where nothing really runs on this cluster, until it is ended. */
const startPoimen = (runbook: string): ChildProcess => {
  const args = ['bin/dev.js', 'run', runbook, '--yes', '--probe-image', 'tools:1', '--kubeconfig', kubeconfigPath()];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

const ended = (child: ChildProcess): Promise<void> => new Promise((done) => child.once('close', () => done()));

describeOnRealCluster('poimen with --probe-image', () => {
  const kills = 20;

  it(`leaves nothing after ${kills} kills and one more start, and nothing after SIGTERM`, { timeout: 300_000 }, async () => {
    expect(inject('realControlPlane').missing).toBeUndefined();
    const bench = await Bench.open();
    await bench.client(resources.deployments);
    await bench.create(resources.deployments, 'old', {
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'old' } },
        template: { metadata: { labels: { app: 'old' } }, spec: { containers: [container] } },
      },
    });
    await bench.create(resources.services, 'front', { spec: { selector: { app: 'old' }, ports: [{ port: 80, targetPort: 8080 }] } });
    const folder = await mkdtemp(join(tmpdir(), 'poimen-probe-pod-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const runbook = join(folder, 'ask.yaml');
    await writeFile(
      runbook,
      JSON.stringify({
        apiVersion: 'poimen.dev/v1alpha1',
        kind: 'Runbook',
        metadata: { name: 'ask', summary: 'asks from the client' },
        objects: {
          service: `svc/front.${bench.namespace}`,
          old: `deploy/old.${bench.namespace}`,
          client: `deploy/client.${bench.namespace}`,
        },
        steps: [
          { id: 'ask', reachability: { service: 'service', client: 'client', expect: 'open' }, deadline: '10m' },
          { id: 'never-reached', scale: { object: 'old', replicas: 2 } },
        ],
      }),
    );
    const seen = new Set<string>();
    const started = async (): Promise<ChildProcess> => {
      const child = startPoimen(runbook);
      const words: string[] = [];
      child.stderr?.on('data', (data: Buffer) => words.push(data.toString()));
      const died = ended(child).then(() => expect.fail(`poimen ended: ${words.join('')}`));
      await Promise.race([
        died,
        bench.until(resources.pods, (pods) =>
          pods.some(({ metadata }) => metadata.annotations?.[makerAnnotation]?.includes(` ${child.pid} `) === true),
        ),
      ]);
      died.catch(() => undefined);
      return child;
    };
    for (let kill = 0; kill < kills; kill++) {
      const child = await started();
      const over = ended(child);
      child.kill('SIGKILL');
      await over;
      const left = await bench.probePods();
      expect(left).toHaveLength(1); // the one of this process: those before were swept at its start
      seen.add(left[0]?.metadata.uid ?? '');
    }
    expect(seen.size).toBe(kills);
    const last = await started();
    const over = ended(last);
    last.kill('SIGTERM');
    await over;
    expect(last.exitCode).toBe(130);
    expect(await bench.probePods()).toEqual([]);
  });
});
