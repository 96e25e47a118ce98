import type { ServedPace } from '../twin-server/time-driver.ts';
import { usageError } from './usage-error.ts';

const fastest = 10_000;

/** `instant`, or how many times as fast as real time. Throws `PoimenError` for anything else. */
export const readPace = (text: string): ServedPace => {
  if (text === 'instant') return { kind: 'instant' };
  const factor = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (factor > 0 && factor <= fastest) return { kind: 'real', factor };
  throw usageError('InvalidPace', `--pace ${text} is no pace`, [
    `--pace 1 is real time, --pace 60 a minute a second; up to ${fastest}`,
    '--pace instant, for time that moves only with requests',
  ]);
};
