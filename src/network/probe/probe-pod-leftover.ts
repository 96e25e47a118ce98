import { isTerminal, isTerminating, type Pod } from '../../kubernetes/pod.ts';
import { makerAnnotation, probeLabel } from './probe-pod-marks.ts';

/** Clocks of servers and workstations differ. */
const slackMs = 60_000;

/**
 * Whether a probe pod is of no use to anybody any more: it has ended, its time is over, or who made it is known to be gone. One of a
 * process on another machine is left alone until then: that run may go on. `now` is in milliseconds since the Unix epoch.
 */
export const isLeftover = (pod: Pod, now: number, isGone: (maker: string) => boolean): boolean => {
  const { labels, annotations, creationTimestamp = '' } = pod.metadata;
  if (labels?.[probeLabel] === undefined || isTerminating(pod)) return false;
  if (isTerminal(pod)) return true;
  const { activeDeadlineSeconds } = pod.spec as { readonly activeDeadlineSeconds?: number };
  const endsAt = Date.parse(creationTimestamp) + (activeDeadlineSeconds ?? 0) * 1000;
  return now > endsAt + slackMs || isGone(annotations?.[makerAnnotation] ?? '');
};
