import type { Dial } from '../dial.ts';
import { readAnswer } from '../read-answer.ts';
import { isTcpOnly, type ToolResult } from '../tool.ts';

/**
 * Reads what our own scripts write to stderr, a line each: `poimen connected MS`, `poimen first MS` (byte of the answer),
 * `poimen failed WORDS`, `poimen timeout`. Their stdout is the answer.
 */
export const readReport = (dial: Dial, { stdout, stderr, exitCode, tookMs }: ToolResult) => {
  const told = new Map([...stderr.matchAll(/^poimen (\w+) ?(.*)$/gm)].map(([, what = '', rest = '']) => [what, rest]));
  const ms = Number(told.get(isTcpOnly(dial) ? 'connected' : 'first'));
  return readAnswer(dial, {
    connected: told.has('connected'),
    response: stdout,
    words: told.get('failed') ?? stderr,
    timedOut: told.has('timeout') || (exitCode !== undefined && endedByItsOwnTimer.has(exitCode)),
    latencyMs: Number.isFinite(ms) && ms > 0 ? ms : tookMs,
  });
};

/** SIGKILL, SIGALRM and SIGTERM, as shells tell them. */
const endedByItsOwnTimer = new Set([137, 142, 143]);
