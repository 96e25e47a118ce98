import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until `check` says true. Anything else that it says is what was seen instead.
 *
 * @throws Error at the deadline, with what was seen last.
 */
export async function eventually(what: string, check: () => Promise<true | string>, deadlineMs = 30_000): Promise<void> {
  const giveUpAt = performance.now() + deadlineMs;
  for (;;) {
    const seen = await check();
    if (seen === true) return;
    if (performance.now() > giveUpAt) throw new Error(`not after ${deadlineMs / 1000} s: ${what}. Last seen: ${seen}`);
    await sleep(100);
  }
}
