import type { Clock } from '../clock/clock.ts';
import { mayBeAskedAgain } from './http/exchange.ts';
import { RegistryError } from './registry-error.ts';
import { remedies } from './remedies.ts';
import { withTimeLimit } from './time-limit.ts';

export interface DocumentLimit {
  readonly clock: Clock;
  /** For each small document, with tokens, redirects and retries. */
  readonly documentMs: number;
}

/** Reads a small document, and once more where the connection breaks in its midst; all in the time that there is for it. */
export const wholeDocument = async <T>(
  { clock, documentMs }: DocumentLimit,
  what: string,
  signal: AbortSignal | undefined,
  read: (within: AbortSignal) => Promise<T>,
): Promise<T> => {
  const late = (): RegistryError =>
    new RegistryError({
      code: 'RegistryTimeout',
      summary: `${what}: no whole answer within ${documentMs / 1_000} s`,
      nextSteps: [remedies.askAgain],
    });
  return await withTimeLimit(clock, documentMs, signal, late, async (within) => {
    try {
      return await read(within);
    } catch (error) {
      if (!mayBeAskedAgain(error)) throw error;
      return await read(within);
    }
  });
};
