import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { RealNode } from '../../cluster/node.ts';
import { kubectl } from '../example.ts';
import { poimen } from '../harness.ts';

/** What somebody does when poimen says on stderr for the first time what the expression matches. */
export type Moment = readonly [line: RegExp, act: () => Promise<unknown>];

export interface HandOver {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** The titles of steps, as they are printed when one begins. */
export const begins = {
  stopping: /^\S+ scale deployment\/clef-serve to 0$/,
  waitingForTheEnd: /^\S+ wait until the pods of deployment\/clef-serve are gone$/,
  starting: /^\S+ scale deployment\/clef-candle to 1$/,
  waitingForTheStart: /^\S+ wait until the pods of deployment\/clef-candle are ready$/,
} as const;

/** `poimen cutover clef --yes` with more arguments, and what happens meanwhile. Fails when a moment did not come. */
export async function cutover(node: RealNode, args: readonly string[] = [], moments: readonly Moment[] = []): Promise<HandOver> {
  const run = poimen(node, ['cutover', ...(args[0]?.endsWith('.yaml') === true ? [] : ['clef']), ...args, '--yes']);
  const waitedFor = new Set(moments);
  const acts: Promise<unknown>[] = [];
  createInterface({ input: run.stderr }).on('line', (line) => {
    for (const moment of waitedFor) {
      const [expression, act] = moment;
      if (!expression.test(line)) continue;
      waitedFor.delete(moment);
      acts.push(act());
    }
  });
  const { exitCode, stdout, stderr } = await run;
  await Promise.all(acts);
  expect(
    [...waitedFor].map(([line]) => line),
    `never said; ${stderr}${stdout}`,
  ).toEqual([]);
  return { exitCode, stdout, stderr };
}

/** Sets how the server of a Deployment behaves (see README.md), and waits until its pods, if there are any, do. */
export async function behave(node: RealNode, deployment: 'clef-serve' | 'clef-candle', settings: object): Promise<void> {
  const inServing = '--namespace=llm-serving';
  await kubectl(node, ['set', 'env', `deployment/${deployment}`, inServing, `STAND_IN=${JSON.stringify(settings)}`]);
  await kubectl(node, ['rollout', 'status', `deployment/${deployment}`, inServing, '--timeout=60s']);
}
