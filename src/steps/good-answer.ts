import { z } from 'zod';
import type { ProbeAnswer } from '../cluster/prober.ts';

/** The fields of an input that say what is asked and what counts as a good answer. */
export const answerFields = {
  path: z
    .string()
    .startsWith('/')
    .optional()
    .meta({ description: 'HTTP path that is asked for. Without it a TCP connection is a good answer.' }),
  status: z
    .array(z.int().min(100).max(599))
    .min(1)
    .optional()
    .meta({ description: 'HTTP status codes that are good answers. Default: 200 to 399.' }),
};

export interface AnswerWish {
  readonly path?: string | undefined;
  readonly status?: readonly number[] | undefined;
}

export const probeTimeoutMs = 5000;

/** What was answered, for people: `HTTP 404 to /v1/systemone`. */
export const describeAnswer = ({ path }: AnswerWish, answer: ProbeAnswer): string => {
  switch (answer.kind) {
    case 'answered':
      if (path === undefined) return 'connected';
      return answer.status === undefined ? `no HTTP to ${path} (${answer.detail ?? 'no status'})` : `HTTP ${answer.status} to ${path}`;
    case 'refused':
      return `refused (${answer.detail})`;
    case 'unreachable':
      return `unreachable (${answer.detail})`;
    case 'timeout':
      return `timed out (${answer.detail})`;
    case 'unresolved':
      return `the name does not resolve (${answer.detail})`;
    case 'unasked':
      return `could not be asked (${answer.detail})`;
  }
};

export const isGoodAnswer = ({ path, status }: AnswerWish, answer: ProbeAnswer): boolean => {
  if (answer.kind !== 'answered') return false;
  if (path === undefined) return true;
  if (answer.status === undefined) return false;
  return status === undefined ? answer.status >= 200 && answer.status < 400 : status.includes(answer.status);
};
