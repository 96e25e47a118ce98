import { expect } from 'vitest';
import type { Clock } from '../../src/clock/clock.ts';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import type { Prober } from '../../src/cluster/prober.ts';
import type { RunEvent, RunResult } from '../../src/engine/event.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { apiVersionOf, resources, type Resource } from '../../src/kubernetes/resource.ts';
import { planOn, type PlannedRun } from '../../src/operations/plan-runbook.ts';
import { loadRunbook } from '../../src/runbook/load-runbook.ts';
import { createStore } from '../../src/twin/api/memory-store.ts';
import { startControllers } from '../../src/twin/controllers/start-controllers.ts';
import { createTwinProber } from '../../src/twin/prober.ts';
import { createTwinCluster } from '../../src/twin/twin-cluster.ts';

type Fields = Readonly<Record<string, unknown>>;

const namespace = 'shop';

interface PlanOptions {
  /** Between the run and the twin. */
  readonly cluster?: Cluster;
  /** The run's, which may tell the time otherwise than the twin's. */
  readonly clock?: Clock;
  readonly simulated?: boolean;
  readonly probeImage?: string;
}

/** A small cluster with one card on one node, in virtual time. `old` serves behind `front`; `new` is parked; `client` uses `front`. */
export class TwinWorld {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  readonly cluster: Cluster;
  /** A test may put itself between. */
  prober: Prober;
  private runs = 0;

  constructor() {
    const store = createStore(this.clock);
    startControllers(store);
    this.cluster = createTwinCluster({ store, identity: { kind: 'twin', name: 'test', server: 'twin' } });
    this.prober = createTwinProber(store);
  }

  static async open(newSide: Readonly<Record<string, string>> = {}): Promise<TwinWorld> {
    const world = new TwinWorld();
    await world.create(resources.namespaces, namespace, {});
    await world.create(resources.nodes, 'worker-1', {
      status: { capacity: { cpu: '8', memory: '32Gi', pods: '20', 'nvidia.com/gpu': '1' } },
    });
    await world.create(resources.deployments, 'old', workload('old', 1, 1));
    await world.create(resources.deployments, 'new', workload('new', 0, 1, newSide));
    await world.create(resources.deployments, 'client', workload('client', 1, 0));
    await world.create(resources.services, 'front', { spec: { selector: { app: 'old' }, ports: [{ port: 80, targetPort: 8080 }] } });
    world.clock.fastForward(60_000);
    return world;
  }

  create(resource: Resource, name: string, fields: Fields): Promise<KubernetesObject> {
    const metadata = resource.namespaced ? { name, namespace } : { name };
    return this.cluster.create(
      resource,
      { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, ...fields },
      { fieldManager: 'test' },
    );
  }

  patch(resource: Resource, name: string, body: unknown): Promise<KubernetesObject> {
    return this.cluster.patch({ resource, namespace, name }, { type: 'merge', body }, { fieldManager: 'test' });
  }

  async get(resource: Resource, name: string): Promise<KubernetesObject> {
    return (await this.cluster.get({ resource, namespace, name })) ?? expect.fail(`${name} is not there`);
  }

  /** `steps` as in a runbook; by default one cutover. */
  plan(
    steps: readonly Fields[] = [handOver()],
    { cluster = this.cluster, clock = this.clock, simulated = true, ...more }: PlanOptions = {},
  ): Promise<PlannedRun> {
    const text = JSON.stringify({
      apiVersion: 'poimen.dev/v1alpha1',
      kind: 'Runbook',
      metadata: { name: 'test', summary: 'a test' },
      objects: {
        service: `svc/front.${namespace}`,
        from: `deploy/old.${namespace}`,
        to: `deploy/new.${namespace}`,
        client: `deploy/client.${namespace}`,
      },
      steps,
    });
    const loaded = loadRunbook({ file: 'test.yaml', text, set: {}, reverse: false });
    if (loaded.kind === 'invalid') return expect.fail(JSON.stringify(loaded.diagnostics, undefined, 1));
    const open = {
      cluster,
      clock,
      prober: this.prober,
      simulated,
      defaultNamespace: namespace,
      close: async () => undefined,
    };
    return planOn(open, loaded.runbook, {
      probe: true,
      ...more,
      invocation: ['poimen', 'run', 'test.yaml'],
      context: { operator: 'test', randomBytes: () => Uint8Array.of(1, 2, 3, ++this.runs) },
    });
  }

  async run(
    steps?: readonly Fields[],
    during: (event: RunEvent) => void = () => undefined,
    options?: PlanOptions,
  ): Promise<{ readonly result: RunResult; readonly events: readonly RunEvent[] }> {
    const planned = await this.plan(steps, options);
    const events: RunEvent[] = [];
    try {
      const result = await planned.run((event) => {
        events.push(event);
        during(event);
      }, new AbortController().signal);
      return { result, events };
    } finally {
      await planned.close();
    }
  }
}

export const handOver = (more: Fields = {}): Fields => ({
  id: 'h',
  cutover: { service: 'service', from: 'from', to: 'to', client: 'client', path: '/ask', ...more },
});

/** Once, when this step begins. */
export const atStep = (step: string, meddle: () => void): ((event: RunEvent) => void) => {
  return (event) => {
    if (event.type === 'stepStarted' && event.step === step) meddle();
  };
};

const workload = (app: string, replicas: number, gpus: number, annotations: Readonly<Record<string, string>> = {}): Fields => ({
  spec: {
    replicas,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: { app } },
    template: {
      metadata: {
        labels: { app },
        annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`twin.poimen.dev/${key}`, value])),
      },
      spec: {
        containers: [
          {
            name: 'server',
            image: 'registry.example/server:1',
            ports: [{ containerPort: 8080 }],
            ...(gpus === 0 ? {} : { resources: { limits: { 'nvidia.com/gpu': String(gpus) } } }),
          },
        ],
      },
    },
  },
});
