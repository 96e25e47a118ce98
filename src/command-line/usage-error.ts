import { PoimenError } from '../errors/poimen-error.ts';

/** Flags or arguments that cannot be used. */
export const usageError = (code: string, summary: string, nextSteps: readonly string[], detail = ''): PoimenError =>
  new PoimenError({ outcome: 'usage', code, summary, nextSteps, ...(detail === '' ? {} : { detail }) });
