import type { Deployment } from '../../src/kubernetes/deployment.ts';
import type { EndpointSlice, SliceEndpoint } from '../../src/kubernetes/endpoint-slice.ts';
import type { Labels } from '../../src/kubernetes/label-selector.ts';
import type { Node } from '../../src/kubernetes/node.ts';
import type { KubernetesObject, ObjectMeta } from '../../src/kubernetes/object.ts';
import type { Pod, PodSpec, PodTemplate, ResourceList } from '../../src/kubernetes/pod.ts';
import type { ObjectReference } from '../../src/kubernetes/reference.ts';
import type { ReplicaSet } from '../../src/kubernetes/replica-set.ts';
import { apiVersionOf, type Resource } from '../../src/kubernetes/resource.ts';
import type { Service, ServicePort } from '../../src/kubernetes/service.ts';
import { resources } from '../../src/kubernetes/resource.ts';

/*
 * Kubernetes objects for tests, as a server would send them. Each builder fills in what the test does not speak of; an object's UID
 * is `uid-of-NAME` unless the test says otherwise.
 */

/** 2026-11-30T12:00:00Z */
export const noon = Date.UTC(2026, 10, 30, 12);
export const at = (secondsFromNoon: number): string => new Date(noon + secondsFromNoon * 1000).toISOString();

type Meta = Partial<ObjectMeta>;

const defaultNamespace = 'llm-serving';

export const ref = (resource: Resource, name: string, namespace: string = defaultNamespace): ObjectReference =>
  resource.namespaced ? { resource, namespace, name } : { resource, name };

export const deploymentRef = (name: string, namespace?: string): ObjectReference => ref(resources.deployments, name, namespace);
export const serviceRef = (name: string, namespace?: string): ObjectReference => ref(resources.services, name, namespace);

export const object = (
  resource: Resource,
  name: string,
  rest: { readonly metadata?: Meta; readonly [field: string]: unknown } = {},
): KubernetesObject => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  ...rest,
  metadata: {
    name,
    ...(resource.namespaced ? { namespace: defaultNamespace } : {}),
    uid: `uid-of-${name}`,
    resourceVersion: '100',
    creationTimestamp: at(-86_400),
    ...rest.metadata,
  },
});

const hash = '7d9f';

export interface WorkloadWish {
  readonly replicas?: number;
  readonly labels?: Labels;
  readonly metadata?: Meta;
  readonly spec?: Partial<Deployment['spec']>;
  readonly podSpec?: Partial<PodSpec>;
  readonly observedGeneration?: number;
}

/** Its pods carry `app: NAME`, listen on 8080 and ask for what `podSpec` says. */
export const deployment = (
  name: string,
  { replicas = 1, labels = { app: name }, metadata, spec, podSpec, observedGeneration }: WorkloadWish = {},
): Deployment => ({
  ...object(resources.deployments, name, { metadata: { generation: 3, ...metadata } }),
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { ...basePodSpec(name), ...podSpec } },
    ...spec,
  },
  status: { observedGeneration: observedGeneration ?? metadata?.generation ?? 3 },
});

const basePodSpec = (name: string): PodSpec => ({
  containers: [{ name: 'server', image: `registry.example/${name}:1`, ports: [{ containerPort: 8080, name: 'http' }] }],
});

/** The ReplicaSet that the controller makes of the Deployment's template. */
export const replicaSetOf = (owner: Deployment, metadata: Meta = {}): ReplicaSet => {
  const labels = { ...owner.spec.template.metadata?.labels, 'pod-template-hash': hash };
  return {
    ...object(resources.replicaSets, `${owner.metadata.name}-${hash}`, {
      metadata: { ...ownedBy(owner), ...inNamespaceOf(owner), ...metadata },
    }),
    spec: {
      ...(owner.spec.replicas === undefined ? {} : { replicas: owner.spec.replicas }),
      selector: { matchLabels: labels },
      template: { ...owner.spec.template, metadata: { labels } },
    },
  };
};

const inNamespaceOf = ({ metadata }: KubernetesObject): Meta => (metadata.namespace === undefined ? {} : { namespace: metadata.namespace });

export const ownedBy = ({ apiVersion, kind, metadata }: KubernetesObject): Meta => ({
  ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true }],
});

export interface PodWish {
  readonly metadata?: Meta;
  readonly spec?: Partial<PodSpec>;
  readonly status?: Pod['status'];
}

const ready: NonNullable<Pod['status']> = {
  phase: 'Running',
  podIP: '10.0.0.7',
  conditions: [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: at(-3600) },
    { type: 'Ready', status: 'True', lastTransitionTime: at(-3000) },
  ],
};

/** A ready pod of the workload, on worker-1. */
export const podOf = (owner: Deployment, suffix: string, { metadata, spec, status }: PodWish = {}): Pod => {
  const template: PodTemplate = owner.spec.template;
  return {
    ...object(resources.pods, `${owner.metadata.name}-${suffix}`, {
      metadata: {
        labels: { ...template.metadata?.labels, 'pod-template-hash': hash },
        ...ownedBy(replicaSetOf(owner)),
        ...inNamespaceOf(owner),
        ...metadata,
      },
    }),
    spec: { ...template.spec, nodeName: 'worker-1', ...spec },
    status: status ?? ready,
  };
};

/** A pod that no workload made. */
export const barePod = (name: string, { metadata, spec, status }: PodWish = {}): Pod => ({
  ...object(resources.pods, name, metadata === undefined ? {} : { metadata }),
  spec: { ...basePodSpec(name), nodeName: 'worker-1', ...spec },
  status: status ?? ready,
});

export const terminating = (secondsFromNoon: number, graceSeconds = 30): Meta => ({
  deletionTimestamp: at(secondsFromNoon),
  deletionGracePeriodSeconds: graceSeconds,
});

/** Not bound, with the scheduler's words. */
export const unschedulable = (message: string): PodWish => ({
  metadata: { creationTimestamp: at(0) },
  spec: { nodeName: '' },
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
});

export interface ServiceWish {
  readonly metadata?: Meta;
  readonly ports?: readonly ServicePort[];
  readonly spec?: Partial<Service['spec']>;
}

/** Port 80 to 8080. */
export const service = (
  name: string,
  selector: Labels | undefined,
  { metadata, ports = [{ port: 80, targetPort: 8080 }], spec }: ServiceWish = {},
): Service => ({
  ...object(resources.services, name, metadata === undefined ? {} : { metadata }),
  spec: { type: 'ClusterIP', clusterIP: '10.96.0.10', ports, ...(selector === undefined ? {} : { selector }), ...spec },
});

/** One slice of a Service with port 80 -> 8080, holding these pods as ready. */
export const sliceOf = (
  owner: Service,
  pods: readonly Pod[],
  conditions: SliceEndpoint['conditions'] = { ready: true, serving: true, terminating: false },
): EndpointSlice => ({
  ...object(resources.endpointSlices, `${owner.metadata.name}-abcde${pods.map(({ metadata }) => metadata.name).join('')}`, {
    metadata: { labels: { 'kubernetes.io/service-name': owner.metadata.name } },
  }),
  addressType: 'IPv4',
  ports: (owner.spec.ports ?? []).map(({ name }) => ({ name: name ?? '', port: 8080, protocol: 'TCP' })),
  endpoints: pods.map(({ metadata, status }) => ({
    addresses: [status?.podIP ?? '10.0.0.9'],
    ...(conditions === undefined ? {} : { conditions }),
    targetRef: { kind: 'Pod', name: metadata.name, ...(metadata.uid === undefined ? {} : { uid: metadata.uid }) },
  })),
});

export const node = (
  name: string,
  allocatable: ResourceList,
  {
    spec,
    capacity,
    labels,
    isReady = true,
  }: { readonly spec?: Node['spec']; readonly capacity?: ResourceList; readonly labels?: Labels; readonly isReady?: boolean } = {},
): Node => ({
  ...object(resources.nodes, name, labels === undefined ? {} : { metadata: { labels } }),
  ...(spec === undefined ? {} : { spec }),
  status: { capacity: capacity ?? allocatable, allocatable, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

export const asking = (requests: ResourceList): Partial<PodSpec> => ({
  containers: [
    { name: 'server', image: 'registry.example/model:1', ports: [{ containerPort: 8080, name: 'http' }], resources: { requests } },
  ],
});
