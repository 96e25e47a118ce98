import type { Exchange, LineFilter } from './fault-proxy.ts';

/** What an API call may suffer: the row "API call" of the faults that a run has to survive. */
export interface CallFault {
  readonly name: string;
  readonly strike: (exchange: Exchange) => Promise<void>;
  /** Whatever else is under way on the connection suffers too. */
  readonly breaksConnection?: true;
  /** Not a passing trouble but an answer: what only reads takes it for final. */
  readonly isFinalAnswer?: true;
  /** A write takes it for final too. */
  readonly isFinalForWrites?: true;
}

const refusal = (code: number, reason: string): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: `${reason}, says the test` });

const answers = (name: string, code: number, reason: string, headers: Readonly<Record<string, string>> = {}): CallFault => ({
  name,
  strike: async (exchange) => exchange.answer(code, refusal(code, reason), headers),
});

export const callFaults: readonly CallFault[] = [
  { name: 'request lost', strike: async () => undefined },
  { name: 'hang', strike: async (exchange) => void (await exchange.forward()) },
  {
    name: 'response lost after commit',
    breaksConnection: true,
    strike: async (exchange) => {
      await exchange.forward();
      exchange.reset();
    },
  },
  { name: 'connection reset', breaksConnection: true, strike: async (exchange) => exchange.reset() },
  {
    name: 'body cut short',
    breaksConnection: true,
    strike: async (exchange) => {
      const { body } = await exchange.forward();
      exchange.cut(body.slice(0, body.length / 2));
    },
  },
  answers('401', 401, 'Unauthorized'),
  { ...answers('403', 403, 'Forbidden'), isFinalAnswer: true, isFinalForWrites: true },
  { ...answers('409', 409, 'Conflict'), isFinalAnswer: true },
  { ...answers('422', 422, 'Invalid'), isFinalAnswer: true, isFinalForWrites: true },
  answers('429 with Retry-After', 429, 'TooManyRequests', { 'retry-after': '1' }),
  answers('500', 500, 'InternalError'),
  answers('503', 503, 'ServiceUnavailable'),
  answers('504', 504, 'Timeout'),
];

/** What a watch may suffer while it is open: the row "watch". */
export interface WatchFault {
  readonly name: string;
  /** Made anew for each watch of a run; sees its events once the run has begun. */
  readonly through: () => LineFilter;
  /** How the next request for the same selection is answered: a watch, or a list. */
  readonly next?: {
    readonly verb: 'watch' | 'list';
    readonly strike: (exchange: Exchange, formerList: string) => Promise<void>;
    readonly times: number;
  };
}

const passes: LineFilter = async (line) => ({ lines: [line] });

/** Passes nothing of the first event, and ends the watch with `last`. */
const endsWith =
  (...last: readonly string[]) =>
  (): LineFilter =>
  async () => ({ lines: last, end: true });

const expired = JSON.stringify({ type: 'ERROR', object: JSON.parse(refusal(410, 'Expired')) as unknown });

export const watchFaults: readonly WatchFault[] = [
  {
    name: 'delay',
    through: () => async (line) => {
      await new Promise((resolve) => setTimeout(resolve, 300)); // the fault itself
      return await passes(line);
    },
  },
  { name: 'duplicate', through: () => async (line) => ({ lines: [line, line] }) },
  { name: '410 as an ERROR event', through: endsWith(expired) },
  {
    name: '410 as a status',
    through: endsWith(),
    next: { verb: 'watch', times: 1, strike: async (exchange) => exchange.answer(410, refusal(410, 'Expired')) },
  },
  { name: 'silent stall', through: () => async () => ({ lines: [] }) },
  {
    name: 'time travel to an older state',
    through: endsWith(expired),
    next: { verb: 'list', times: 2, strike: async (exchange, formerList) => exchange.answer(200, formerList) },
  },
  {
    name: 'too large resource version',
    through: endsWith(),
    next: {
      verb: 'watch',
      times: 1,
      strike: async (exchange) =>
        exchange.answer(504, refusal(504, 'Timeout').replace('Timeout, says the test', 'Too large resource version: 9, current: 5')),
    },
  },
];
