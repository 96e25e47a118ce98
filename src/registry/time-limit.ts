import type { Clock } from '../clock/clock.ts';

/**
 * Runs `work` under a signal that is aborted when the caller's is, or after `limitMs`; then it rejects with `late()`.
 * Whoever listens to the signal has nothing left to do afterwards.
 */
export const withTimeLimit = async <T>(
  clock: Clock,
  limitMs: number,
  caller: AbortSignal | undefined,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller?.reason);
  caller?.addEventListener('abort', onAbort, { once: true });
  const cancel = clock.after(limitMs, () => controller.abort(late()));
  try {
    return await Promise.race([work(controller.signal), rejection(controller.signal)]);
  } catch (error) {
    controller.abort(error); // what it left open ends with it
    throw error;
  } finally {
    cancel();
    caller?.removeEventListener('abort', onAbort);
  }
};

const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
