import { isTerminal, isTerminating, podCondition, type ContainerState, type Pod, type PodStatus } from '../../kubernetes/pod.ts';
import {
  acceptedStatus,
  backOffMs,
  crashedStatus,
  gatedStatus,
  probedStatus,
  pullError,
  runningStatus,
  waitingPodStatus,
  type ImageIdOf,
} from './pod-status.ts';
import type { PodFailure, PodScript } from './pod-script.ts';

/** What happens next to a pod on its node. */
export interface PodStep {
  /** Different for each step that a pod is at, also for the same step a second time. */
  readonly name: string;
  readonly delayMs: number;
  /** From when the delay counts, as far as the object says; milliseconds since the Unix epoch. */
  readonly since: number | undefined;
  /** The status that is written then; `gone` removes the pod. */
  readonly effect: 'gone' | ((now: number) => PodStatus);
}

/** What a step depends on besides the pod itself. */
export interface PodSurroundings {
  readonly script: PodScript;
  readonly podIP: () => string;
  readonly hostIP: () => string;
  /** A missing ConfigMap or Secret, in the kubelet's words. */
  readonly missingForEnvironment: () => string | undefined;
  readonly missingForVolumes: () => string | undefined;
  readonly imageIdOf: ImageIdOf;
}

const pullBackOffAfterMs = 2_000;
const pullAgainAfterMs = 20_000;
const configAgainAfterMs = 2_000;
const crashAfterMs = 1_000;
const firstRestartAfterMs = 1_000;

/** `undefined`: nothing, until the pod or its surroundings change. */
export const nextPodStep = (pod: Pod, surroundings: PodSurroundings): PodStep | undefined => {
  if (isTerminating(pod)) return leave(pod, surroundings.script);
  if (isTerminal(pod)) return undefined;
  if (pod.status?.startTime === undefined) {
    return step('accept', 0, undefined, (now) => acceptedStatus(pod, surroundings.podIP(), surroundings.hostIP(), now));
  }
  const state = pod.status.containerStatuses?.[0]?.state ?? {};
  if (state.running !== undefined) return whileRunning(pod, state.running.startedAt, surroundings.script);
  const ended =
    state.terminated ??
    (state.waiting?.reason === 'CrashLoopBackOff' ? pod.status.containerStatuses?.[0]?.lastState?.terminated : undefined);
  return ended === undefined ? beforeRunning(pod, state, surroundings) : restart(pod, ended.finishedAt, surroundings);
};

const leave = (pod: Pod, { terminateMs }: PodScript): PodStep | undefined => {
  if (terminateMs === 'never') return undefined;
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata;
  const graceMs = deletionGracePeriodSeconds * 1000;
  const delayMs = Math.min(terminateMs, graceMs); // killed when the grace is over
  return step('gone', delayMs, Date.parse(deletionTimestamp) - graceMs, 'gone');
};

const beforeRunning = (pod: Pod, { waiting }: ContainerState, surroundings: PodSurroundings): PodStep | undefined => {
  const { script } = surroundings;
  const startTime = Date.parse(pod.status?.startTime ?? '');
  const message = waiting?.message ?? '';
  switch (waiting?.reason) {
    case 'ErrImagePull':
      return step('pull back-off', pullBackOffAfterMs, undefined, () =>
        waitingPodStatus(pod, 'ImagePullBackOff', ({ image = '' }) => `Back-off pulling image "${image}": ErrImagePull: ${message}`),
      );
    case 'ImagePullBackOff':
      return pulled('pull again', pod, pullAgainAfterMs, undefined, surroundings);
    case 'CreateContainerConfigError':
      return missingConfiguration(surroundings) === message
        ? undefined
        : pulled('configured', pod, configAgainAfterMs, undefined, surroundings);
    default:
      return surroundings.missingForVolumes() === undefined ? pulled('pulled', pod, script.pullMs, startTime, surroundings) : undefined;
  }
};

/** What comes of a pull: the containers run, or the reason why they do not. */
const pulled = (name: string, pod: Pod, delayMs: number, since: number | undefined, surroundings: PodSurroundings): PodStep => {
  const { failure } = surroundings.script;
  if (failure !== undefined && isPullFailure(failure)) {
    return step(`${name}: ${failure}`, delayMs, since, () =>
      waitingPodStatus(pod, 'ErrImagePull', (container) => pullError(failure, container)),
    );
  }
  return step(name, delayMs, since, (now) => {
    const missing = missingConfiguration(surroundings);
    return missing === undefined
      ? runningStatus(pod, now, surroundings.imageIdOf)
      : waitingPodStatus(pod, 'CreateContainerConfigError', () => missing);
  });
};

const isPullFailure = (failure: PodFailure): boolean =>
  failure === 'image-not-found' || failure === 'unauthorized' || failure === 'registry-unavailable';

const missingConfiguration = ({ script, missingForEnvironment }: PodSurroundings): string | undefined =>
  script.failure === 'config-error' ? 'secret "missing" not found' : missingForEnvironment();

const whileRunning = (pod: Pod, startedAt: string | undefined, { startMs, failure }: PodScript): PodStep | undefined => {
  const since = Date.parse(startedAt ?? '');
  const restarts = pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
  if (failure === 'crash-loop') return step(`crash ${restarts}`, crashAfterMs, since, (now) => crashedStatus(pod, now));
  const hasPassedProbes = podCondition(pod, 'ContainersReady')?.status === 'True';
  if (failure === 'never-ready') {
    const hasStarted = pod.status?.containerStatuses?.every(({ started }) => started === true) ?? false;
    if (hasPassedProbes) return step('unready', 0, undefined, (now) => probedStatus(pod, false, now));
    return hasStarted ? undefined : step('started', startMs, since, (now) => probedStatus(pod, false, now));
  }
  if (!hasPassedProbes) return step(`ready ${restarts}`, startMs, since, (now) => probedStatus(pod, true, now));
  const gatesOpen = (pod.spec.readinessGates ?? []).every(({ conditionType }) => podCondition(pod, conditionType)?.status === 'True');
  const saysReady = podCondition(pod, 'Ready')?.status === 'True';
  return gatesOpen === saysReady ? undefined : step('gates', 0, undefined, (now) => gatedStatus(pod, now));
};

const restart = (pod: Pod, finishedAt: string | undefined, { imageIdOf }: PodSurroundings): PodStep => {
  const restarts = pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
  const delayMs = restarts === 0 ? firstRestartAfterMs : backOffMs(restarts);
  return step(`restart ${restarts}`, delayMs, Date.parse(finishedAt ?? ''), (now) => runningStatus(pod, now, imageIdOf));
};

const step = (name: string, delayMs: number, since: number | undefined, effect: PodStep['effect']): PodStep => ({
  name,
  delayMs,
  since,
  effect,
});
