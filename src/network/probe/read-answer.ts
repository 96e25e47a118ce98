import type { ProbeAnswer } from '../../cluster/prober.ts';
import type { Dial } from './dial.ts';
import { readFailureWords } from './failure-words.ts';
import { readHttpResponse } from './http-response.ts';

/** What a tool has found out, in whatever way. */
export interface Finding {
  readonly connected: boolean;
  /** Whether the tool would have told that there is a connection before there is an answer. */
  readonly tellsConnecting?: boolean;
  /** The bytes of the answer. */
  readonly response: Buffer;
  /** The response has no transfer coding any more. */
  readonly decoded?: boolean;
  /** Why there is no connection or no (whole) answer, in the tool's words. */
  readonly words: string;
  readonly timedOut: boolean;
  readonly latencyMs: number;
}

const longestDetail = 200;

const notHttp = 'what came is not HTTP';

/** The answer to a question, from what a tool has found out. */
export const readAnswer = (dial: Dial, finding: Finding): ProbeAnswer => {
  const { connected, tellsConnecting = true, response, decoded, words, timedOut, latencyMs } = finding;
  if (connected && dial.path === undefined) return { kind: 'answered', latencyMs };
  if (connected && response.length > 0) {
    const http = readHttpResponse(response, decoded);
    return http === undefined
      ? { kind: 'answered', latencyMs, detail: `${notHttp}: ${firstLine(response.toString())}` }
      : { kind: 'answered', ...http, latencyMs };
  }
  const within = `within ${dial.timeoutMs} ms`;
  if (connected) {
    return timedOut
      ? { kind: 'timeout', detail: `connected, but no answer ${within}` }
      : { kind: 'answered', latencyMs, detail: /HTTP\/0\.9/.test(words) ? notHttp : 'the connection was closed without an answer' };
  }
  if (timedOut) return { kind: 'timeout', detail: `no ${tellsConnecting ? 'connection' : 'answer'} ${within}` };
  const failure = readFailureWords(words);
  if (failure?.kind === 'timeout') return { kind: 'timeout', detail: `no connection ${within}` };
  return failure ?? { kind: 'unasked', detail: firstLine(words) || 'the tool says nothing' };
};

/** In one line without control characters: it comes from whoever answers. */
const firstLine = (text: string): string =>
  (text.trim().split(/[\r\n]/)[0] ?? '').replaceAll(/\p{Cc}/gu, '\u{fffd}').slice(0, longestDetail);
