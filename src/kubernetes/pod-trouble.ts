import { podCondition, isTerminal, isTerminating, type ContainerStatus, type Pod } from './pod.ts';

/**
 * A known cause for a wait that does not end. Has the shape of a step's `Trouble`: it fails the step when it has lasted
 * longer than its grace (0: at once).
 */
export interface PodTrouble {
  /** Kubernetes' own word where there is one. */
  readonly code: string;
  /** `pod/clef-candle-7d9f` */
  readonly object: string;
  /** With the server's own words. */
  readonly message: string;
  readonly graceMs: number;
}

const atOnce = 0;
/** A card that was just freed, a registry that says 429, a Secret that is made a moment later: normal for some seconds. */
const settlingMs = 60_000;
/** What a node may take to remove a pod after its own grace period has passed. */
const removalMs = 120_000;
/** At the fourth failure in a row (backoffs of 10, 20 and 40 s lie between) nobody waits for a fifth. */
const hopelessRestarts = 3;

/**
 * What keeps a pod from becoming ready, or from going. Terminal pods have no troubles: they hold and serve nothing.
 * `now` is in milliseconds since the Unix epoch.
 *
 * Source: Kubernetes, "Pod Lifecycle", "Container states"; kubelet's images and container reasons.
 */
export const podTroubles = (pod: Pod, now: number): readonly PodTrouble[] => {
  if (isTerminal(pod)) return [];
  if (isTerminating(pod)) return stuckTerminating(pod, now);
  return [...schedulingTroubles(pod), ...containerStatuses(pod).flatMap((status) => containerTroubles(pod, status))];
};

/** deletionTimestamp lies in the future by the grace period: after it the containers should be dead. */
const stuckTerminating = (pod: Pod, now: number): readonly PodTrouble[] => {
  const overdueMs = now - Date.parse(pod.metadata.deletionTimestamp ?? '');
  if (!(overdueMs > 0)) return [];
  const where = pod.spec.nodeName === undefined ? '' : ` by node ${pod.spec.nodeName}`;
  const finalizers = pod.metadata.finalizers ?? [];
  const why =
    finalizers.length > 0 ? `held by finalizers ${finalizers.join(', ')}` : `not removed${where} although its grace period has passed`;
  return [trouble(pod, 'StuckTerminating', why, removalMs)];
};

const schedulingTroubles = (pod: Pod): readonly PodTrouble[] => {
  const scheduled = podCondition(pod, 'PodScheduled');
  if (scheduled === undefined || scheduled.status === 'True') return [];
  if (scheduled.reason !== 'Unschedulable' && scheduled.reason !== 'SchedulingGated') return [];
  return [trouble(pod, scheduled.reason, scheduled.message ?? 'the scheduler gave no message', settlingMs)];
};

const containerStatuses = (pod: Pod): readonly ContainerStatus[] => [
  ...(pod.status?.initContainerStatuses ?? []),
  ...(pod.status?.containerStatuses ?? []),
];

const containerTroubles = (pod: Pod, status: ContainerStatus): readonly PodTrouble[] => {
  const { reason, message } = status.state?.waiting ?? {};
  const said = `container ${status.name}: ${message ?? reason ?? ''}`;
  switch (reason) {
    case 'ErrImagePull':
    case 'ImagePullBackOff':
      // The kubelet alternates between the two; one code, so that the trouble's age is not reset by each try.
      return [trouble(pod, 'ImagePullBackOff', said, isHopelessPull(message ?? '') ? atOnce : settlingMs)];
    case 'InvalidImageName':
    case 'ErrImageNeverPull':
      return [trouble(pod, reason, said, atOnce)];
    case 'CrashLoopBackOff':
      return [trouble(pod, reason, `${said}${lastExit(status)}`, status.restartCount >= hopelessRestarts ? atOnce : settlingMs)];
    case 'CreateContainerConfigError':
    case 'CreateContainerError':
    case 'RunContainerError':
      return [trouble(pod, reason, said, settlingMs)];
    default:
      return [];
  }
};

/** No later try can succeed: the image is not there, or not for us. A registry that is down or says 429 may come back. */
const isHopelessPull = (message: string): boolean => {
  if (/too many requests|toomanyrequests|\b429\b/i.test(message)) return false;
  return /not found|manifest unknown|unauthorized|authentication required|access denied|denied:|forbidden/i.test(message);
};

const lastExit = (status: ContainerStatus): string => {
  const last = status.lastState?.terminated;
  if (last === undefined) return '';
  const why = last.reason === undefined || last.reason === 'Error' ? '' : ` (${last.reason})`;
  const words = last.message === undefined ? '' : `: ${last.message.trim()}`;
  return `; last exit code ${last.exitCode}${why}, ${status.restartCount} restarts${words}`;
};

const trouble = (pod: Pod, code: string, message: string, graceMs: number): PodTrouble => ({
  code,
  object: `pod/${pod.metadata.name}`,
  message,
  graceMs,
});
