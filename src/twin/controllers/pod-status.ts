import { createHash } from 'node:crypto';
import { fullImageName } from '../../kubernetes/image-name.ts';
import {
  isSidecar,
  podCondition,
  type Container,
  type ContainerState,
  type ContainerStatus,
  type Pod,
  type PodStatus,
} from '../../kubernetes/pod.ts';
import { formatTime } from '../api/timestamp.ts';
import { withPodConditions, type PodConditionWish } from './pod-conditions.ts';
import type { PodFailure } from './pod-script.ts';

/**
 * The statuses that a kubelet writes, one function for each thing that can happen to a pod on its node. All are pure; messages follow
 * kubelet 1.34 with containerd.
 */

/** The node has taken the pod: it has an address, and its images are being pulled. */
export const acceptedStatus = (pod: Pod, podIP: string, hostIP: string, now: number): PodStatus => ({
  ...withPodConditions(
    pod,
    [{ type: 'PodReadyToStartContainers', status: 'True' }, { type: 'Initialized', status: 'True' }, ...notReady(pod)],
    now,
  ),
  ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
  startTime: formatTime(now),
  hostIP,
  hostIPs: [{ ip: hostIP }],
  podIP,
  podIPs: [{ ip: podIP }],
  ...(pod.spec.initContainers === undefined
    ? {}
    : { initContainerStatuses: pod.spec.initContainers.map((container) => waitingStatus(container, 'PodInitializing')) }),
  containerStatuses: pod.spec.containers.map((container) => waitingStatus(container, 'ContainerCreating')),
});

/** Every container waits, for this reason. */
export const waitingPodStatus = (pod: Pod, reason: string, messageFor: (container: Container) => string): PodStatus => ({
  ...pod.status,
  containerStatuses: pod.spec.containers.map((container) => waitingStatus(container, reason, messageFor(container))),
});

/** The first start, or a restart, of all containers. Those with a startup probe count as started when they are ready. */
export const runningStatus = (pod: Pod, now: number, imageIdOf: ImageIdOf): PodStatus => {
  const startedAt = formatTime(now);
  return {
    ...pod.status,
    phase: 'Running',
    ...(pod.spec.initContainers === undefined
      ? {}
      : { initContainerStatuses: pod.spec.initContainers.map((container) => initStatus(pod, container, { startedAt, imageIdOf })) }),
    containerStatuses: pod.spec.containers.map((container) => {
      const before = statusOf(pod, container);
      const isRestart = before?.state?.waiting?.reason === 'CrashLoopBackOff' || before?.state?.terminated !== undefined;
      const restartCount = (before?.restartCount ?? 0) + (isRestart ? 1 : 0);
      const lastState = before?.state?.terminated === undefined ? before?.lastState : before.state;
      return {
        name: container.name,
        image: container.image ?? '',
        imageID: imageIdOf(container.image ?? ''),
        containerID: containerIdOf(pod, container, restartCount),
        ready: false,
        started: container.startupProbe === undefined,
        restartCount,
        state: { running: { startedAt } },
        ...(lastState === undefined ? {} : { lastState }),
      };
    }),
  };
};

/** The probes succeed, or, with `ready` false, the readiness probe alone does not. */
export const probedStatus = (pod: Pod, ready: boolean, now: number): PodStatus => {
  const conditions: readonly PodConditionWish[] = ready
    ? [{ type: 'ContainersReady', status: 'True' }, readyCondition(pod)]
    : notReady(pod);
  return {
    ...withPodConditions(pod, conditions, now),
    containerStatuses: (pod.status?.containerStatuses ?? []).map((status) => ({ ...status, ready, started: true })),
  };
};

/** A readiness gate has opened or closed. */
export const gatedStatus = (pod: Pod, now: number): PodStatus => withPodConditions(pod, [readyCondition(pod)], now);

/** The containers have ended with an error: the first time they are restarted at once, later they wait. */
export const crashedStatus = (pod: Pod, now: number): PodStatus => ({
  ...withPodConditions(pod, notReady(pod), now),
  containerStatuses: (pod.status?.containerStatuses ?? []).map((status) => {
    const startedAt = status.state?.running?.startedAt;
    const terminated = { exitCode: 1, reason: 'Error', ...(startedAt === undefined ? {} : { startedAt }), finishedAt: formatTime(now) };
    const ended = { ...status, ready: false, started: false };
    if (status.restartCount === 0) return { ...ended, state: { terminated } };
    const message = `back-off ${formatBackOff(backOffMs(status.restartCount))} restarting failed container=${status.name} pod=${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
    return { ...ended, state: { waiting: { reason: 'CrashLoopBackOff', message } }, lastState: { terminated } };
  }),
});

/** Doubles from 10 s to 5 min. Source: Kubernetes concepts, "Pod Lifecycle", "How Pods handle problems with containers". */
export const backOffMs = (restartCount: number): number => Math.min(10_000 * 2 ** (restartCount - 1), 300_000);

/** As Go writes it: `10s`, `1m20s`, `5m0s`. */
const formatBackOff = (durationMs: number): string => {
  const seconds = durationMs / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
};

/** Why an image cannot be pulled. */
export const pullError = (failure: PodFailure, { image = '' }: Container): string => {
  const resolve = `failed to pull and unpack image "${image}": failed to resolve reference "${image}"`;
  switch (failure) {
    case 'unauthorized':
      return `rpc error: code = Unknown desc = ${resolve}: pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`;
    case 'registry-unavailable':
      return `rpc error: code = Unknown desc = ${resolve}: failed to do request: Head "https://${image.replace(/[:@][^/]*$/, '')}": dial tcp: connect: connection refused`;
    default:
      return `rpc error: code = NotFound desc = ${resolve}: ${image}: not found`;
  }
};

const notReady = ({ spec }: Pod): readonly PodConditionWish[] => {
  const message = `containers with unready status: [${spec.containers.map(({ name }) => name).join(' ')}]`;
  return [
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message },
    { type: 'ContainersReady', status: 'False', reason: 'ContainersNotReady', message },
  ];
};

const readyCondition = (pod: Pod): PodConditionWish => {
  const unmet = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = podCondition(pod, conditionType);
    if (condition === undefined) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return condition.status === 'True'
      ? []
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`];
  });
  return unmet.length === 0
    ? { type: 'Ready', status: 'True' }
    : { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: unmet.join(', ') };
};

const statusOf = ({ status }: Pod, { name }: Container): ContainerStatus | undefined =>
  status?.containerStatuses?.find((candidate) => candidate.name === name);

const waitingStatus = ({ name, image = '' }: Container, reason: string, message?: string): ContainerStatus => ({
  name,
  image,
  imageID: '',
  ready: false,
  started: false,
  restartCount: 0,
  state: { waiting: { reason, ...(message === undefined ? {} : { message }) } },
});

interface Start {
  readonly startedAt: string;
  readonly imageIdOf: ImageIdOf;
}

const initStatus = (
  pod: Pod,
  container: Container,
  { startedAt, imageIdOf }: Start,
): ContainerStatus & { readonly containerID: string } => {
  const state: ContainerState = isSidecar(container)
    ? { running: { startedAt } }
    : { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: startedAt } };
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: imageIdOf(container.image ?? ''),
    containerID: containerIdOf(pod, container, 0),
    ready: true,
    started: isSidecar(container),
    restartCount: 0,
    state,
  };
};

/** What the kubelet reports as `imageID` of an image that it has pulled by this name. */
export type ImageIdOf = (image: string) => string;

/** The digest that an image resolves to: its own where it names one, else what it is known by, else one made from its name. */
export const imageIdsFrom =
  (digests: ReadonlyMap<string, string>): ImageIdOf =>
  (image) =>
    image.includes('@') ? image : `${image.replace(/:[^:/]*$/, '')}@${digests.get(fullImageName(image)) ?? `sha256:${sha256(image)}`}`;

const containerIdOf = ({ metadata }: Pod, { name }: Container, restartCount: number): string =>
  `containerd://${sha256(`${metadata.uid}${name}${restartCount === 0 ? '' : restartCount}`)}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
