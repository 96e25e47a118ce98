import { delay } from '../../src/clock/clock.ts';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import type { Deployment } from '../../src/kubernetes/deployment.ts';
import type { EndpointSlice } from '../../src/kubernetes/endpoint-slice.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import type { Pod } from '../../src/kubernetes/pod.ts';
import { resources, type Resource } from '../../src/kubernetes/resource.ts';
import { startGarbageCollector } from '../../src/twin/api/garbage-collector.ts';
import { createStore, type MemoryStore } from '../../src/twin/api/memory-store.ts';
import { startControllers, type ControllerOptions } from '../../src/twin/controllers/start-controllers.ts';

const beginning = Date.UTC(2026, 0, 1);

/** A store with one node and running controllers, in virtual time. */
export class Simulation {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  private readonly stops: (() => void)[];

  /** `before`: goes on where another one is, as a new process would that knows its objects only. */
  constructor(options: ControllerOptions = {}, before?: Simulation) {
    this.clock = new VirtualClock(before?.clock.now() ?? beginning);
    this.store = createStore(
      this.clock,
      before === undefined ? {} : { restored: { version: before.store.version, objects: before.store.everything() } },
    );
    if (before === undefined) {
      this.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'llm-serving' } });
      this.create(resources.nodes, node('worker-1'));
    }
    const controllers = startControllers(this.store, options);
    const collector = startGarbageCollector(this.store);
    this.stops = [() => controllers.stop(), () => collector.stop()];
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  create(resource: Resource, object: KubernetesObject): KubernetesObject {
    return this.store.create(resource, object);
  }

  /** Merges fields into the object's spec. */
  change(resource: Resource, name: string, fields: Readonly<Record<string, unknown>>): void {
    const namespace = resource.namespaced ? { namespace: 'llm-serving' } : {};
    this.store.change({ resource, name, ...namespace }, (object) => ({ ...object, spec: { ...(object.spec as object), ...fields } }));
  }

  scale(name: string, replicas: number): void {
    this.change(resources.deployments, name, { replicas });
  }

  async passes(durationMs: number): Promise<void> {
    await delay(this.clock, durationMs);
  }

  /** Milliseconds since the simulation of the first process began. */
  get elapsedMs(): number {
    return this.clock.now() - beginning;
  }

  /** Lets time pass until a change makes something hold; fails after two hours. Returns how many milliseconds passed. */
  async until(holds: () => boolean): Promise<number> {
    const start = this.clock.now();
    if (holds()) return 0;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = this.store.onCommit(() => {
      if (holds()) resolve();
    });
    const cancel = this.clock.after(7_200_000, () => reject(new Error('not within two hours')));
    try {
      await promise;
    } finally {
      stop();
      cancel();
    }
    return this.clock.now() - start;
  }

  pods(app?: string): readonly Pod[] {
    return this.store.list<Pod>({ resource: resources.pods }).filter(({ metadata }) => app === undefined || metadata.labels?.app === app);
  }

  deployment(name: string): Deployment {
    const found = this.store.get<Deployment>({ resource: resources.deployments, namespace: 'llm-serving', name });
    if (found === undefined) throw new Error(`no deployment ${name}`);
    return found;
  }

  slices(): readonly EndpointSlice[] {
    return this.store.list<EndpointSlice>({ resource: resources.endpointSlices });
  }
}

export const node = (name: string, capacity: Readonly<Record<string, string>> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  status: { capacity: { cpu: '32', memory: '63495Mi', pods: '110', 'nvidia.com/gpu': '4', ...capacity } },
});

export interface ServerOptions {
  readonly replicas?: number;
  readonly gpus?: number;
  /** `twin.poimen.dev/KEY` */
  readonly script?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Fields of the pod's spec. */
  readonly pod?: Readonly<Record<string, unknown>>;
  /** Fields of its container. */
  readonly container?: Readonly<Record<string, unknown>>;
}

/** A Deployment of a server on 8080 that is replaced by Recreate. */
export const server = (
  name: string,
  { replicas = 1, gpus, script = {}, labels, pod, container }: ServerOptions = {},
  namespace = 'llm-serving',
): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: { app: name } },
    template: {
      metadata: {
        labels: { app: name, ...labels },
        annotations: Object.fromEntries(Object.entries(script).map(([key, value]) => [`twin.poimen.dev/${key}`, value])),
      },
      spec: {
        containers: [
          {
            name: 'server',
            image: 'registry.example/server:1.0',
            ports: [{ name: 'http', containerPort: 8080 }],
            ...(gpus === undefined ? {} : { resources: { limits: { 'nvidia.com/gpu': String(gpus) } } }),
            ...container,
          },
        ],
        ...pod,
      },
    },
  },
});

export const service = (
  name: string,
  selector: Readonly<Record<string, string>>,
  spec: Readonly<Record<string, unknown>> = {},
  namespace = 'llm-serving',
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace },
  spec: { selector, ports: [{ name: 'http', port: 80, targetPort: 8080 }], ...spec },
});
