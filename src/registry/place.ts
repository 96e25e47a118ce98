import { isWebPage, lockedOut, notARegistry, unexpectedStatus } from './answer-trouble.ts';
import type { Session } from './auth/session.ts';
import type { Endpoint } from './endpoint.ts';
import { readSome } from './http/body.ts';
import type { WireAnswer } from './http/exchange.ts';
import type { Purpose } from './trace.ts';

/** A place that answers, with the way to ask it. */
export interface Place {
  readonly endpoint: Endpoint;
  readonly session: Session;
}

export interface Question {
  readonly purpose: Purpose;
  readonly method?: 'GET' | 'HEAD';
  /** Below the repository. */
  readonly path: string;
  readonly what: string;
  readonly accept?: string;
  /** Statuses that mean that there is no such thing. */
  readonly absent?: readonly number[];
}

/** `undefined`: there is no such thing. Whatever else is no answer is thrown. */
export const askPlace = async (
  { endpoint, session }: Place,
  { purpose, method = 'GET', path, what, accept = '*/*', absent = [404] }: Question,
  signal: AbortSignal | undefined,
): Promise<WireAnswer | undefined> => {
  const url = new URL(path, endpoint.base);
  if (endpoint.mirrored !== undefined) url.searchParams.set('ns', endpoint.mirrored);
  const outcome = await session({ purpose, method, url, headers: { accept }, what, signal });
  if (outcome.kind === 'locked-out') throw lockedOut(outcome, endpoint.host, what);
  const { answer } = outcome;
  if (answer.status === 200) return answer;
  if (!absent.includes(answer.status)) throw await unexpectedStatus(answer, what);
  if (purpose !== 'referrers' && isWebPage(answer)) throw await notARegistry(answer, what);
  await readSome(answer);
  return undefined;
};
