import { isTerminal, isTerminating, type Pod } from '../../kubernetes/pod.ts';
import { podProgress } from '../../kubernetes/pod-progress.ts';
import { podTroubles } from '../../kubernetes/pod-trouble.ts';
import { probeContainer } from './probe-pod-marks.ts';

export type ProbePodStart =
  | { readonly kind: 'running' }
  /** `missing` is for a person who waits. */
  | { readonly kind: 'starting'; readonly missing: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** How far a probe pod has come. It never becomes ready: its container runs, and it has an address. */
export const probePodStart = (pod: Pod, now: number): ProbePodStart => {
  const status = pod.status?.containerStatuses?.find(({ name }) => name === probeContainer);
  const ended = status?.state?.terminated;
  if (ended !== undefined) {
    const noCommand = /executable file not found|no such file/i.test(ended.message ?? '');
    const words = ended.message ?? ended.reason ?? `exit code ${ended.exitCode}`;
    return failed(noCommand ? `its image has no \`sleep\`, which keeps it there: ${words}` : words);
  }
  if (isTerminal(pod)) return failed(pod.status?.message ?? pod.status?.reason ?? `it is ${podProgress(pod)}`);
  if (isTerminating(pod)) return failed('somebody deleted it');
  if (status?.state?.running !== undefined && pod.status?.podIP !== undefined) return { kind: 'running' };
  // Nothing has been changed yet: rather tell after the first failed pull than let a person wait for one that may succeed.
  const isBackingOff = status?.state?.waiting?.reason === 'ImagePullBackOff';
  const hopeless = podTroubles(pod, now).find(({ code, graceMs }) => graceMs === 0 || (isBackingOff && code === 'ImagePullBackOff'));
  return hopeless === undefined ? { kind: 'starting', missing: missingIn(pod, now) } : failed(`${hopeless.code}: ${hopeless.message}`);
};

const failed = (reason: string): ProbePodStart => ({ kind: 'failed', reason });

const missingIn = (pod: Pod, now: number): string => {
  const [trouble] = podTroubles(pod, now);
  return trouble === undefined ? podProgress(pod) : `${trouble.code}: ${trouble.message}`;
};
