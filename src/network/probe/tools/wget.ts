import { timeoutSeconds, urlOf, type Dial } from '../dial.ts';
import { readAnswer } from '../read-answer.ts';
import type { FoundProgram, Tool, ToolResult } from '../tool.ts';
import { withDeadline } from './with-deadline.ts';

/** GNU's or busybox's; undefined for another one, and for one that does not tell the status. */
export const wget = ({ about }: FoundProgram): Tool | undefined => {
  if (/GNU Wget/.test(about))
    return { name: 'wget', version: /GNU Wget (\S+)/.exec(about)?.[1], can, command: gnuCommand, read: read({ tellsConnecting: true }) };
  if (/BusyBox/.test(about) && /\s-S\s/.test(about)) {
    return {
      name: 'wget (busybox)',
      version: /BusyBox v(\S+)/.exec(about)?.[1],
      can,
      command: busyboxCommand,
      read: read({ tellsConnecting: false }),
    };
  }
  return undefined;
};

const can = { http: true, tcp: false };

const gnuCommand = (dial: Dial): readonly string[] =>
  withDeadline(dial, [
    ...['wget', '--no-config', '-nv', '-S', '-O', '-', '--no-proxy', '--max-redirect=0', '--tries=1', '--content-on-error', '-U', 'poimen'],
    ...[`--timeout=${timeoutSeconds(dial)}`, '--header=Connection: close', urlOf(dial)],
  ]);

/** It follows redirects, which nothing can keep it from: the first answer counts. Not every build has a timeout of its own. */
const busyboxCommand = (dial: Dial): readonly string[] =>
  withDeadline(dial, ['wget', '-q', '-S', '-O', '-', '-Y', 'off', '-U', 'poimen', urlOf(dial)]);

const read =
  (about: { readonly tellsConnecting: boolean }) =>
  (dial: Dial, { stdout, stderr, exitCode, tookMs }: ToolResult) => {
    const status = /^ {2}(HTTP\/1\.[01] \d{3}.*)$/m.exec(stderr)?.[1] ?? /server returned error: (HTTP\/1\.[01] \d{3}.*)/.exec(stderr)?.[1];
    const closed = /no data received|error getting response|connection reset/i.test(stderr);
    const noAnswer = /read error.*timed out|timed out.*in headers/i.test(stderr);
    return readAnswer(dial, {
      ...about,
      connected: status !== undefined || stdout.length > 0 || closed || noAnswer,
      response: status === undefined ? stdout : Buffer.concat([Buffer.from(`${status}\r\n\r\n`), stdout]),
      decoded: true,
      words: stderr,
      timedOut: noAnswer || isKilled(exitCode),
      latencyMs: tookMs,
    });
  };

const isKilled = (exitCode: number | undefined): boolean => exitCode === 124 || exitCode === 137 || exitCode === 143;
