import type { LabelSelector } from '../../kubernetes/label-selector.ts';
import { valueAt } from '../../kubernetes/json-pointer.ts';
import { isJsonObject } from '../../kubernetes/json.ts';
import { controllerOf, type KubernetesObject } from '../../kubernetes/object.ts';
import { isTerminal, type Pod, type PodSpec } from '../../kubernetes/pod.ts';
import { podTemplateHashLabel } from '../../kubernetes/replica-set.ts';
import { peerOfPod, peerOfTemplate, type PodPeer } from '../policy/peer.ts';
import { podTemplateKindOf } from './pod-template-kinds.ts';
import { namespaceOf, type SourceObject } from './source-object.ts';

/** A workload, or a pod that none made: pods that are alike for a person. */
export interface NetworkPeer {
  /** `llm-serving/clef-serve[Deployment]` */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  /** Its pods; of one that has none, what its template says. */
  readonly pods: readonly InventoryPod[];
  /** No pod of it is there: what controllers and webhooks add to one is not known. */
  readonly templateOnly: boolean;
  /** How many pods there are or would be, where that can be known. */
  readonly podCount: number | undefined;
  /** By which labels the workload knows its pods; absent for a bare pod. */
  readonly selector?: LabelSelector;
  /** Absent for an owner that was not found itself. */
  readonly source?: SourceObject;
}

/** A pod, real or as a template says. */
export interface InventoryPod {
  readonly peer: PodPeer;
  /** Absent: it is what a template says. */
  readonly pod?: Pod;
  /** Its controllers, next one first, each as `Kind/name`; of a template, whatever would be its owner. */
  readonly owners: readonly string[];
  readonly hostPorts: readonly HostPort[];
}

export interface HostPort {
  readonly hostPort: number;
  readonly containerPort: number;
}

export const peerId = (namespace: string, name: string, kind: string): string => `${namespace}/${name}[${kind}]`;

/**
 * Everything that can have a connection. Pods stand for the workload that made them, through owners in between; a workload without pods
 * stands for those that its template would make. Terminal pods count for nothing.
 */
export const takePeers = (objects: readonly SourceObject[]): readonly NetworkPeer[] => {
  const owners = new Owners(objects);
  const groups = new Map<string, { readonly root: Owner; readonly pods: InventoryPod[] }>();
  for (const source of objects) {
    const { object } = source;
    if (!isPod(object) || isTerminal(object)) continue;
    const chain = owners.chainOf(object);
    const root = chain.at(-1) ?? { kind: 'Pod', namespace: namespaceOf(object), name: object.metadata.name, source };
    const id = peerId(root.namespace, root.name, root.kind);
    const group = groups.get(id) ?? { root, pods: [] };
    groups.set(id, group);
    group.pods.push({
      peer: peerOfPod(object),
      pod: object,
      owners: chain.map(({ kind, name }) => `${kind}/${name}`),
      hostPorts: hostPortsOf(object.spec),
    });
  }
  const running = [...groups].map(([id, { root, pods }]) => peerOf(id, root, pods, false));
  const hypothetical = objects.flatMap((source) => templatePeers(source, owners).filter(({ id }) => !groups.has(id)));
  return [...running, ...hypothetical].toSorted(byName);
};

const byName = (a: NetworkPeer, b: NetworkPeer): number =>
  compare(a.namespace, b.namespace) || compare(a.name, b.name) || compare(a.kind, b.kind);

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const peerOf = (
  id: string,
  { kind, namespace, name, source }: Owner,
  pods: readonly InventoryPod[],
  templateOnly: boolean,
): NetworkPeer => ({
  id,
  namespace,
  name,
  kind,
  pods,
  templateOnly,
  podCount: templateOnly ? wantedPods(source?.object) : pods.length,
  ...selectorOf(source?.object),
  ...(source === undefined ? {} : { source }),
});

/** A workload that another one made stands for no peer of its own: a Deployment's old ReplicaSets, a CronJob's Jobs. */
const templatePeers = (source: SourceObject, owners: Owners): readonly NetworkPeer[] => {
  const { object } = source;
  const kind = podTemplateKindOf(object);
  if (kind === undefined || controllerOf(object) !== undefined || isFinished(object)) return [];
  const root = owners.ownerOf(source);
  const templates = kind.templates(object);
  const suffixed = templates.map(({ suffix, template }): InventoryPod => {
    const name = suffix === undefined ? root.name : `${root.name}-${suffix}`;
    return {
      peer: peerOfTemplate(root.namespace, name, template),
      owners: [`${root.kind}/${root.name}`],
      hostPorts: hostPortsOf(template.spec),
    };
  });
  return suffixed.length === 0 ? [] : [peerOf(peerId(root.namespace, root.name, root.kind), root, suffixed, true)];
};

const isPod = (object: KubernetesObject): object is Pod =>
  object.kind === 'Pod' && object.apiVersion === 'v1' && isJsonObject(object['spec']) && Array.isArray(object['spec']['containers']);

const hostPortsOf = ({ containers }: PodSpec): readonly HostPort[] =>
  containers
    .flatMap(({ ports }) => ports ?? [])
    .flatMap(({ hostPort, containerPort }) => (hostPort === undefined || hostPort === 0 ? [] : [{ hostPort, containerPort }]));

/** A Job that has run makes no more pods. Source: Kubernetes API reference, JobStatus v1 batch. */
const isFinished = (object: KubernetesObject): boolean =>
  object.kind === 'Job' && valueAt(object, ['status', 'completionTime']) !== undefined;

const wantedPods = (object: KubernetesObject | undefined): number | undefined => {
  if (object === undefined || object.kind === 'DaemonSet' || object.kind === 'CronJob') return undefined;
  const wanted = valueAt(object, ['spec', object.kind === 'Job' ? 'parallelism' : 'replicas']) ?? 1;
  return typeof wanted === 'number' ? wanted : undefined;
};

const selectorOf = (object: KubernetesObject | undefined): { readonly selector?: LabelSelector } => {
  const selector = valueAt(object, ['spec', 'selector']);
  if (object === undefined || !isJsonObject(selector)) return {};
  if (object.kind === 'ReplicationController') return { selector: { matchLabels: selector as Readonly<Record<string, string>> } };
  return { selector };
};

interface Owner {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Absent: it was not found. */
  readonly source?: SourceObject;
}

/** Who made whom. */
class Owners {
  private readonly byKey = new Map<string, SourceObject>();

  constructor(objects: readonly SourceObject[]) {
    for (const source of objects) {
      if (podTemplateKindOf(source.object) !== undefined) this.byKey.set(keyOf(source.object), source);
    }
  }

  ownerOf(source: SourceObject): Owner {
    return { kind: source.object.kind, namespace: namespaceOf(source.object), name: source.object.metadata.name, source };
  }

  /** From the pod's controller up to the last one that is known. */
  chainOf(object: KubernetesObject): readonly Owner[] {
    const chain: Owner[] = [];
    const namespace = namespaceOf(object);
    for (let current: KubernetesObject | undefined = object; current !== undefined && chain.length < deepest;) {
      const reference = controllerOf(current);
      if (reference === undefined || !isWorkload(reference.kind)) break;
      const { kind, name } = reference;
      const source = this.byKey.get(`${kind}/${namespace}/${name}`);
      chain.push({ kind, namespace, name, ...(source === undefined ? {} : { source }) });
      current = source?.object;
      if (source === undefined && kind === 'ReplicaSet') chain.push(...this.makerOfReplicaSet(object, namespace, name));
    }
    return chain;
  }

  /** Of a ReplicaSet that was not listed (there may be thousands of old ones): its name tells whose it is. */
  private makerOfReplicaSet(pod: KubernetesObject, namespace: string, name: string): readonly Owner[] {
    const suffix = `-${pod.metadata.labels?.[podTemplateHashLabel] ?? ''}`;
    if (!name.endsWith(suffix) || suffix === '-') return [];
    const maker = name.slice(0, -suffix.length);
    const source = ['Deployment', 'Rollout']
      .map((kind) => this.byKey.get(`${kind}/${namespace}/${maker}`))
      .find((found) => found !== undefined);
    if (source === undefined) return [];
    return [this.ownerOf(source), ...this.chainOf(source.object)];
  }
}

/** Pod, ReplicaSet, Deployment, InferenceService: nobody nests deeper, and a reference may go in a circle. */
const deepest = 8;

/** A Node owns its static pods, which are nobody's workload. */
const isWorkload = (kind: string): boolean => kind !== 'Node';

const keyOf = (object: KubernetesObject): string => `${object.kind}/${namespaceOf(object)}/${object.metadata.name}`;
