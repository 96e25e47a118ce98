import { createInterface } from 'node:readline';
import type { RealNode } from '../../test/cluster/node.ts';
import { namespace, service, type Side } from './hand-over.ts';

/** A client that asks the Service every few milliseconds, each time on a new connection, from its own pod. */
export interface ClientRecord {
  /** Milliseconds from the last good answer of the one side to the first good one of the other, of the latest change between them. */
  untilAnsweredBy(side: Side): Promise<number>;
  close(): Promise<void>;
}

interface Answer {
  /** Seconds since the first question. */
  readonly at: number;
  readonly took: number;
  readonly status?: number;
  /** The pod's name. */
  readonly servedBy?: string;
}

const intervalMs = 5;

export const recordClient = (node: RealNode): ClientRecord => {
  const url = `http://${service}.${namespace}/v1/systemone`;
  const ask = ['stand-in', 'ask', url, '--count=0', `--interval=${intervalMs}ms`, '--timeout=1s'];
  const asking = node.run(['kubectl', 'exec', '--namespace=poimen', 'deployment/poimen-memory', '--', ...ask]);
  let last: { readonly pod: string; readonly endedMs: number } | undefined;
  let gapMs = 0;
  let failure: Error | undefined;
  const waiters = new Set<() => void>();

  createInterface({ input: asking.stdout }).on('line', (line) => {
    const { at, took, status, servedBy = '' } = JSON.parse(line) as Answer;
    if (status !== 200) return;
    const endedMs = (at + took) * 1000;
    if (last !== undefined && sideOf(last.pod) !== sideOf(servedBy)) gapMs = endedMs - last.endedMs;
    last = { pod: servedBy, endedMs };
    for (const check of waiters) check();
  });
  const watchForEnd = async (): Promise<void> => {
    const { stderr } = await asking;
    failure = new Error(`the client stopped asking: ${stderr}`);
    for (const check of waiters) check();
  };
  void watchForEnd();

  return {
    untilAnsweredBy: (side) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (failure === undefined && (last === undefined || sideOf(last.pod) !== side)) return;
          waiters.delete(check);
          if (failure === undefined) resolve(gapMs);
          else reject(failure);
        };
        waiters.add(check);
        check();
      }),
    async close() {
      asking.kill();
      await asking;
    },
  };
};

/** `clef-candle` of `clef-candle-6d9c7f-x2x5q` */
const sideOf = (pod: string): string => pod.replace(/-[0-9a-z]+-[0-9a-z]+$/, '');
