import { delay, type Clock } from '../../clock/clock.ts';
import { readSome } from './body.ts';
import { mayBeAskedAgain, type Exchange, type WireAnswer } from './exchange.ts';

export interface RetrySettings {
  readonly clock: Clock;
  /** Requests in all. */
  readonly attempts: number;
  /** Before the second one; doubled before each later one. */
  readonly backoffMs: number;
  /** A server that wants more than that is not waited for. */
  readonly maxRetryAfterMs: number;
}

/**
 * Asks again where the server says that it cannot answer now (429, 5xx), after as long as it says, and where the connection broke. Only
 * for requests that change nothing. The last answer is given back as it is.
 *
 * Source: RFC 9110, 10.2.3 (Retry-After); RFC 6585, 4 (429).
 */
export const withRetries =
  (exchange: Exchange, { clock, attempts, backoffMs, maxRetryAfterMs }: RetrySettings): Exchange =>
  async (request) => {
    for (let attempt = 1; ; attempt++) {
      const pauseMs = backoffMs * 2 ** (attempt - 1);
      let answer: WireAnswer;
      try {
        answer = await exchange(request);
      } catch (error) {
        if (attempt >= attempts || !mayBeAskedAgain(error)) throw error;
        await delay(clock, pauseMs, request.signal);
        continue;
      }
      if (attempt >= attempts || !isPassing(answer.status)) return answer;
      const askedMs = retryAfterMs(answer.header('retry-after'), clock.now());
      if (askedMs !== undefined && askedMs > maxRetryAfterMs) return answer;
      await readSome(answer);
      await delay(clock, Math.max(pauseMs, askedMs ?? 0), request.signal);
    }
  };

/** 501 and 505 do not pass. */
const isPassing = (status: number): boolean => [429, 500, 502, 503, 504].includes(status);

/** Seconds, or a date. */
export const retryAfterMs = (value: string | undefined, nowMs: number): number | undefined => {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
};
