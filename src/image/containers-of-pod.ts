import type { Container, ContainerStatus, Pod, PodSpec } from '../kubernetes/pod.ts';
import { isSidecar, isTerminal, isTerminating } from '../kubernetes/pod.ts';
import { controllerOf, type OwnerReference } from '../kubernetes/object.ts';
import { parseImageId, type ParsedImageId } from './image-id.ts';

export type ContainerRole = 'container' | 'init' | 'sidecar' | 'ephemeral';

/** A container as a pod's spec and status tell of it. */
export interface ContainerOfPod {
  readonly namespace: string;
  readonly pod: string;
  readonly podUid?: string;
  /** The ReplicaSet or another controller that made the pod. */
  readonly owner?: OwnerReference;
  readonly node?: string;
  /** On its way out: what it runs is not what the workload runs. */
  readonly terminating: boolean;
  /** Succeeded or Failed. */
  readonly ended: boolean;
  readonly name: string;
  readonly role: ContainerRole;
  /** From the spec: what the next start would ask for. */
  readonly image: string;
  readonly pullPolicy: PullPolicy;
  readonly imageId: ParsedImageId;
  readonly state: 'waiting' | 'running' | 'terminated';
  /** Kubernetes' own word, while it waits: `ImagePullBackOff`. */
  readonly waitingFor?: string;
}

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** Init containers first, in the order in which they run, then sidecars where they stand, containers, ephemeral ones. */
export const containersOfPod = (pod: Pod): readonly ContainerOfPod[] => {
  const statuses = [
    ...(pod.status?.initContainerStatuses ?? []),
    ...(pod.status?.containerStatuses ?? []),
    ...(ephemeralOf(pod.status, 'ephemeralContainerStatuses') as readonly ContainerStatus[]),
  ];
  const byName = new Map(statuses.map((status) => [status.name, status]));
  const owner = controllerOf(pod);
  return namedContainers(pod.spec).map(({ role, container }) => {
    const status = byName.get(container.name);
    const waitingFor = status?.state?.waiting?.reason;
    return {
      namespace: pod.metadata.namespace ?? 'default',
      pod: pod.metadata.name,
      ...(pod.metadata.uid === undefined ? {} : { podUid: pod.metadata.uid }),
      ...(owner === undefined ? {} : { owner }),
      ...(pod.spec.nodeName === undefined ? {} : { node: pod.spec.nodeName }),
      terminating: isTerminating(pod),
      ended: isTerminal(pod),
      name: container.name,
      role,
      image: container.image ?? '',
      pullPolicy: pullPolicyOf(container),
      imageId: parseImageId(status?.imageID),
      state: status?.state?.running === undefined ? (status?.state?.terminated === undefined ? 'waiting' : 'terminated') : 'running',
      ...(waitingFor === undefined ? {} : { waitingFor }),
    };
  });
};

export interface NamedContainer {
  readonly role: ContainerRole;
  readonly container: Container;
}

export const namedContainers = (spec: PodSpec): readonly NamedContainer[] => [
  ...(spec.initContainers ?? []).map((container) => ({ role: isSidecar(container) ? ('sidecar' as const) : ('init' as const), container })),
  ...spec.containers.map((container) => ({ role: 'container' as const, container })),
  ...(ephemeralOf(spec, 'ephemeralContainers') as readonly Container[]).map((container) => ({ role: 'ephemeral' as const, container })),
];

const ephemeralOf = (fields: Readonly<Record<string, unknown>> | undefined, field: string): readonly unknown[] => {
  const list = fields?.[field];
  return Array.isArray(list) ? list : [];
};

/**
 * The API server's default where a manifest names none: `Always` for `:latest` and for no tag at all.
 *
 * Source: Kubernetes, "Images", "Default image pull policy".
 */
export const pullPolicyOf = ({ image = '', ...rest }: Container): PullPolicy => {
  const { imagePullPolicy } = rest;
  if (imagePullPolicy === 'Always' || imagePullPolicy === 'IfNotPresent' || imagePullPolicy === 'Never') return imagePullPolicy;
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/]*)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
};
