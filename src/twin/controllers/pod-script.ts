import { parseDuration } from '../../kubernetes/duration.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';

/** How a pod goes wrong, as its annotation says. */
export const podFailures = [
  'image-not-found',
  'unauthorized',
  'registry-unavailable',
  'config-error',
  'crash-loop',
  'never-ready',
] as const;
export type PodFailure = (typeof podFailures)[number];

/** What the twin's kubelet needs to know about a pod and a manifest has no field for. */
export interface PodScript {
  /** From the pod's arrival on a node until its images are there. */
  readonly pullMs: number;
  /** From the start of its containers until it is ready. */
  readonly startMs: number;
  /** From its deletion until it is gone; never longer than its grace period. */
  readonly terminateMs: number | 'never';
  readonly failure: PodFailure | undefined;
}

export type PodTimes = Pick<PodScript, 'pullMs' | 'startMs' | 'terminateMs'>;

/** For pods that say nothing. */
export const defaultPodTimes: PodTimes = { pullMs: 1_000, startMs: 1_000, terminateMs: 1_000 };

const prefix = 'twin.poimen.dev/';

/** Reads `twin.poimen.dev/pull`, `start`, `terminate` and `fail`. What cannot be read counts as not said. */
export const podScriptOf = ({ metadata }: KubernetesObject, defaults: PodTimes): PodScript => {
  const say = (key: string): string | undefined => metadata.annotations?.[`${prefix}${key}`];
  const duration = (key: string): number | undefined => parseDuration(say(key) ?? '');
  const failure = say('fail');
  return {
    pullMs: duration('pull') ?? defaults.pullMs,
    startMs: duration('start') ?? defaults.startMs,
    terminateMs: say('terminate') === 'never' ? 'never' : (duration('terminate') ?? defaults.terminateMs),
    failure: podFailures.find((known) => known === failure),
  };
};

/** A YAML map from HTTP path to `{status, body}`. */
export const answersAnnotation = `${prefix}answers`;
