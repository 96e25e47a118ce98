import { backoffMs } from '../backoff.ts';

/** How one try ended, as far as trying again depends on it. */
export type Try =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterSeconds?: number }
  /** No usable answer. `sent`: the server may have seen the request. */
  | { readonly kind: 'broken'; readonly sent: boolean }
  /** No answer within the deadline. */
  | { readonly kind: 'late' };

const tries = 6;
/** Of what did not even leave: it shared a connection that ended for others' sake, as often as there are others. */
const unsentTries = 12;
/** Of what is not answered in time: each costs its whole deadline. */
const lateTries = 2;
const firstPauseMs = 100;
const longestPauseMs = 2_000;
const longestRetryAfterMs = 30_000;

/**
 * How long to wait before the next try, `undefined` to give up.
 *
 * What only reads is tried again whenever the cause may pass. A write is tried again only when the server can not have processed
 * it: after 429, which comes before any processing, and when nothing was sent. Where no connection was ever had, refusals are final at
 * once: it is probably the wrong address. What a server leaves unanswered is read once more, for that may be one of several behind
 * a load balancer.
 *
 * Source: Kubernetes API concepts, "API Priority and Fairness"; client-go's rest.Request, which follows Retry-After likewise.
 */
export const pauseBeforeRetryMs = (isWrite: boolean, failures: number, last: Try, everAnswered: boolean): number | undefined => {
  const isUnsent = last.kind === 'broken' && !last.sent;
  if (failures >= (isUnsent ? unsentTries : tries)) return undefined;
  const pauseMs = backoffMs(failures, firstPauseMs, longestPauseMs);
  if (last.kind === 'late') return !isWrite && failures < lateTries ? pauseMs : undefined;
  if (last.kind === 'broken') return last.sent ? (isWrite ? undefined : pauseMs) : everAnswered ? pauseMs : undefined;
  const mayPass = last.status === 429 || (!isWrite && [500, 502, 503, 504].includes(last.status));
  if (!mayPass) return undefined;
  return last.retryAfterSeconds === undefined ? pauseMs : Math.min(longestRetryAfterMs, last.retryAfterSeconds * 1_000);
};
