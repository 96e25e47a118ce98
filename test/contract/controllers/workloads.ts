import { expect } from 'vitest';
import { delay } from '../../../src/clock/clock.ts';
import type { Deployment } from '../../../src/kubernetes/deployment.ts';
import type { EndpointSlice } from '../../../src/kubernetes/endpoint-slice.ts';
import { controllerOf, type Condition, type KubernetesObject } from '../../../src/kubernetes/object.ts';
import { isPodReady, isTerminating, podCondition, type Pod } from '../../../src/kubernetes/pod.ts';
import type { Patch } from '../../../src/kubernetes/patch.ts';
import type { ReplicaSet } from '../../../src/kubernetes/replica-set.ts';
import type { Resource } from '../../../src/kubernetes/resource.ts';
import { eventually } from '../eventually.ts';
import { deployment, referTo, resources, written } from '../objects.ts';
import type { Subject } from '../subjects.ts';

/** A namespace with pods in it, and what tests of controllers do there. `done` frees what the pods hold, on the node too. */
export class Workbench {
  readonly namespace: string;
  readonly subject: Subject;

  constructor(subject: Subject, namespace: string) {
    this.subject = subject;
    this.namespace = namespace;
  }

  async create(resource: Resource, object: KubernetesObject): Promise<KubernetesObject> {
    return this.subject.cluster.create(resource, object, written);
  }

  async patch(resource: Resource, name: string, patch: Patch, subresource?: 'status'): Promise<KubernetesObject> {
    const options = subresource === undefined ? written : { ...written, subresource };
    return this.subject.cluster.patch(referTo(resource, this.namespace, name), patch, options);
  }

  async scale(name: string, replicas: number): Promise<KubernetesObject> {
    return this.patch(resources.deployments, name, { type: 'merge', body: { spec: { replicas } } });
  }

  async get<T extends KubernetesObject>(resource: Resource, name: string): Promise<T> {
    const object = await this.subject.cluster.get(referTo(resource, this.namespace, name));
    return (object ?? expect.fail(`${name} is not there`)) as T;
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.subject.cluster.list({ resource: resources.pods, namespace: this.namespace })).items as readonly Pod[];
  }

  async untilPods(isAsWanted: (pods: readonly Pod[]) => boolean): Promise<readonly Pod[]> {
    return (await eventually(this.subject, { resource: resources.pods, namespace: this.namespace }, (pods) =>
      isAsWanted(pods as readonly Pod[]),
    )) as readonly Pod[];
  }

  /** The one pod that there is to be. */
  async untilPod(isAsWanted: (pod: Pod) => boolean): Promise<Pod> {
    const [pod] = await this.untilPods(([only, ...others]) => only !== undefined && others.length === 0 && isAsWanted(only));
    return pod ?? expect.fail('no pod');
  }

  async untilGone(uid: string | undefined): Promise<void> {
    await this.untilPods((pods) => pods.every(({ metadata }) => metadata.uid !== uid));
  }

  async untilNone(resource: Resource): Promise<void> {
    await eventually(this.subject, { resource, namespace: this.namespace }, (objects) => objects.length === 0);
  }

  async untilDeployment(name: string, isAsWanted: (deployment: Deployment) => boolean): Promise<Deployment> {
    return this.until<Deployment>(resources.deployments, name, (found) => isObserved(found) && isAsWanted(found));
  }

  async untilReplicaSets(isAsWanted: (replicaSets: readonly ReplicaSet[]) => boolean): Promise<readonly ReplicaSet[]> {
    const selection = { resource: resources.replicaSets, namespace: this.namespace };
    return (await eventually(this.subject, selection, (found) => isAsWanted(found as readonly ReplicaSet[]))) as readonly ReplicaSet[];
  }

  async untilSlices(isAsWanted: (slices: readonly EndpointSlice[]) => boolean): Promise<readonly EndpointSlice[]> {
    const selection = { resource: resources.endpointSlices, namespace: this.namespace };
    return (await eventually(this.subject, selection, (found) =>
      isAsWanted(found as readonly EndpointSlice[]),
    )) as readonly EndpointSlice[];
  }

  async until<T extends KubernetesObject>(resource: Resource, name: string, isAsWanted: (object: T) => boolean): Promise<T> {
    const selection = { resource, namespace: this.namespace, fieldSelector: `metadata.name=${name}` };
    const [object] = await eventually(this.subject, selection, ([found]) => found !== undefined && isAsWanted(found as T));
    return object as T;
  }

  async passes(durationMs: number): Promise<void> {
    await delay(this.subject.clock, durationMs);
  }

  async done(): Promise<void> {
    const { cluster } = this.subject;
    for (const resource of [resources.deployments, resources.replicaSets]) {
      for (const { metadata } of (await cluster.list({ resource, namespace: this.namespace })).items) {
        await cluster.delete(referTo(resource, this.namespace, metadata.name), { propagationPolicy: 'Background' }).catch(() => undefined);
      }
    }
    for (const { metadata } of await this.pods())
      await cluster.delete(referTo(resources.pods, this.namespace, metadata.name), { gracePeriodSeconds: 0 }).catch(() => undefined);
    await this.untilPods((pods) => pods.length === 0);
  }
}

/** Does something in a namespace of its own, and leaves nothing on the node. */
export const atWorkbench =
  (work: (bench: Workbench) => Promise<void>) =>
  async (subject: Subject): Promise<void> => {
    const bench = new Workbench(subject, await subject.newNamespace());
    try {
      await work(bench);
    } finally {
      await bench.done();
    }
  };

export interface ServerOptions {
  readonly replicas?: number;
  readonly gpus?: number;
  /** `twin.poimen.dev/KEY` of the pods, which kwok's stages read too. */
  readonly script?: Readonly<Record<string, string>>;
  readonly image?: string;
  /** Fields of the pod's spec. */
  readonly pod?: Readonly<Record<string, unknown>>;
  /** Fields of the container. */
  readonly container?: Readonly<Record<string, unknown>>;
  /** Fields of the Deployment's spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A Deployment of a server on 8080, Recreate unless it says otherwise. */
export const server = (namespace: string, name: string, options: ServerOptions = {}): KubernetesObject =>
  deployment(namespace, name, {
    replicas: options.replicas ?? 1,
    strategy: { type: 'Recreate' },
    template: template(name, options),
    ...options.spec,
  });

export const template = (name: string, options: ServerOptions): Readonly<Record<string, unknown>> => ({
  metadata: {
    labels: { app: name, ...options.labels },
    annotations: Object.fromEntries(Object.entries(options.script ?? {}).map(([key, value]) => [`twin.poimen.dev/${key}`, value])),
  },
  spec: {
    containers: [
      {
        name: 'server',
        image: options.image ?? 'registry.example/server:1.0',
        ports: [{ name: 'http', containerPort: 8080 }],
        ...(options.gpus === undefined ? {} : { resources: { limits: { 'nvidia.com/gpu': String(options.gpus) } } }),
        ...options.container,
      },
    ],
    ...options.pod,
  },
});

const isObserved = ({ metadata, status }: Deployment): boolean => status?.observedGeneration === metadata.generation;

export const conditionOf = (
  object: { readonly status?: { readonly conditions?: readonly Condition[] } },
  type: string,
): Condition | undefined => object.status?.conditions?.find((condition) => condition.type === type);

export const isReady = (pod: Pod): boolean => isPodReady(pod) && !isTerminating(pod);

export const isUnschedulable = (pod: Pod): boolean => podCondition(pod, 'PodScheduled')?.reason === 'Unschedulable';

export const waitingReasonOf = (pod: Pod): string | undefined => pod.status?.containerStatuses?.[0]?.state?.waiting?.reason;

export const ownerNameOf = (object: KubernetesObject): string | undefined => controllerOf(object)?.name;
