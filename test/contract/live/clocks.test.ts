import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { RunEvent, RunResult } from '../../../src/engine/event.ts';
import type { Pod } from '../../../src/kubernetes/pod.ts';
import { temporaryFolder } from '../../cluster-client/live/connect.ts';
import { Workbench } from '../controllers/workloads.ts';
import { HandOverBench, handedOver } from '../hand-over/hand-over-bench.ts';
import { subjectSources } from '../subjects.ts';
import { describeOnRealCluster, kubeconfigPath } from './real-cluster.ts';

// poimen as a program of its own, against a real API server: its wall clock is set while it waits, or it is stopped.

const hourMs = 3_600_000;

/** Sets the wall clock of the one process that loads it, and no other clock. */
const [libfaketime] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

interface Program {
  readonly child: ChildProcess;
  /** As long as it runs; the last one tells its end. */
  readonly events: AsyncIterable<RunEvent>;
  setClock(byMs: number): Promise<void>;
  ended(): Promise<number | null>;
}

const prepare = async (sides: Parameters<HandOverBench['prepare']>[0]): Promise<HandOverBench> => {
  const source = subjectSources().find(({ name }) => name === 'a real control plane');
  if (source === undefined) throw new Error('no real control plane');
  const subject = await source.open();
  const bench = new Workbench(subject, await subject.newNamespace());
  onTestFinished(async () => {
    await bench.done();
    await subject.close();
  });
  const handOver = new HandOverBench(bench);
  await handOver.prepare(sides);
  return handOver;
};

const start = async (handOver: HandOverBench, deadlines: Readonly<Record<string, string>>): Promise<Program> => {
  const folder = await temporaryFolder();
  const [runbook, clockFile] = [join(folder, 'hand-over.yaml'), join(folder, 'clock')];
  await writeFile(runbook, handOver.text({ deadlines }));
  const setClock = (byMs: number): Promise<void> => writeFile(clockFile, `${byMs < 0 ? '' : '+'}${byMs / 1_000}s\n`);
  await setClock(0);
  const faked =
    libfaketime === undefined
      ? {}
      : {
          LD_PRELOAD: libfaketime,
          FAKETIME_TIMESTAMP_FILE: clockFile,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1', // who sets the wall clock leaves that one alone
        };
  const main = join(import.meta.dirname, '../../../bin/dev.js');
  const child = spawn(process.execPath, [main, 'run', runbook, '--kubeconfig', kubeconfigPath(), '--no-probe', '--yes', '-o', 'jsonl'], {
    env: { PATH: process.env['PATH'], HOME: folder, ...faked },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await exit;
  });
  const { stdout } = child;
  return { child, events: eventsIn(createInterface({ input: stdout })), setClock, ended: async () => (await exit)[0] };
};

async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<RunEvent> {
  for await (const line of lines) yield JSON.parse(line) as RunEvent;
}

/** Follows it to its end; `during` may meddle before the next event is looked at. */
const follow = async (
  program: Program,
  during: (event: RunEvent) => Promise<void> | void,
): Promise<{ readonly result: RunResult; readonly events: readonly RunEvent[]; readonly exitCode: number | null }> => {
  const events: RunEvent[] = [];
  for await (const event of program.events) {
    events.push(event);
    await during(event);
  }
  const last = events.at(-1);
  if (last?.type !== 'runFinished') throw new Error(`the last event is ${last?.type}`);
  return { result: last.result, events, exitCode: await program.ended() };
};

const isWaiting = (event: RunEvent, step: string): boolean => event.type === 'waiting' && event.step === `hand-over/${step}`;

describeOnRealCluster('clocks that do not go on evenly', () => {
  it.skipIf(libfaketime === undefined && process.env['CI'] !== 'true')(
    'wall clock set an hour forward and an hour back in two waits: no deadline passes, no duration is wrong',
    async () => {
      const handOver = await prepare({ old: { gpus: 0, script: { terminate: '1s' } }, new: { gpus: 0, script: { start: '1s' } } });
      const program = await start(handOver, { gone: '30s', ready: '30s' });
      const { result, events, exitCode } = await follow(program, async (event) => {
        if (isWaiting(event, 'old-gone')) await program.setClock(hourMs);
        if (isWaiting(event, 'new-ready')) await program.setClock(-hourMs);
      });
      expect([exitCode, result.outcome, await handOver.state()]).toEqual([0, 'completed', handedOver]);
      const jumps = events.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(events[index]?.at ?? ''));
      expect([Math.max(...jumps) > hourMs / 2, Math.min(...jumps) < -hourMs]).toEqual([true, true]); // or nothing was shown
      const durations = [...result.steps.map(({ tookMs = 0 }) => tookMs), result.outage?.totalMs ?? -1];
      expect(durations.filter((ms) => ms < 0 || ms > 30_000)).toEqual([]);
    },
  );

  it.skipIf(libfaketime === undefined && process.env['CI'] !== 'true')(
    'wall clock set an hour back in a wait: its deadline passes in time',
    async () => {
      const handOver = await prepare({ old: { gpus: 0 }, new: { gpus: 0, script: { fail: 'never-ready' } } });
      const program = await start(handOver, { ready: '2s' });
      const { result, exitCode } = await follow(program, async (event) => {
        if (isWaiting(event, 'new-ready')) await program.setClock(-hourMs);
      });
      expect([exitCode, result.failure?.reason]).toEqual([5, expect.stringMatching(/^the deadline passed: /)]);
    },
  );

  const stoppedFor = async (handOver: HandOverBench, until: () => Promise<unknown>): Promise<RunResult> => {
    const program = await start(handOver, { ready: '2s' });
    const { result } = await follow(program, async (event) => {
      if (!isWaiting(event, 'new-ready')) return;
      program.child.kill('SIGSTOP');
      await Promise.all([until(), sleep(2_500)]); // the fault itself: longer than the deadline
      program.child.kill('SIGCONT');
    });
    return result;
  };

  it('stopped beyond a deadline: what has come true meanwhile counts', async () => {
    const handOver = await prepare({ old: { gpus: 0 }, new: { gpus: 0, script: { start: '1500ms' } } });
    const isReady = ({ metadata, status }: Pod): boolean =>
      metadata.labels?.['app'] === 'new' && status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
    const result = await stoppedFor(handOver, () => handOver.bench.untilPods((pods) => pods.some(isReady)));
    expect([result.outcome, await handOver.state()]).toEqual(['completed', handedOver]);
    expect(result.steps.find(({ id }) => id === 'hand-over/new-ready')?.tookMs).toBeGreaterThan(2_000);
  });

  it('stopped beyond a deadline: what has not come true by then fails, for the cluster had that time', async () => {
    const handOver = await prepare({ old: { gpus: 0 }, new: { gpus: 0, script: { fail: 'never-ready' } } });
    const result = await stoppedFor(handOver, async () => undefined);
    expect([result.outcome, result.failure?.reason]).toEqual(['halted', expect.stringMatching(/^the deadline passed: /)]);
  });
});
