import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import { performRun, type PerformOptions } from '../../src/command-line/perform-run.ts';
import type { RunResult } from '../../src/engine/event.ts';
import type { Plan } from '../../src/engine/plan.ts';
import type { PlannedRun } from '../../src/operations/plan-runbook.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { renderEvent } from '../../src/views/event-lines.ts';
import { renderJson, renderJsonLine } from '../../src/views/json.ts';
import { renderPlan } from '../../src/views/plan.ts';
import { renderResult } from '../../src/views/result.ts';
import { createRecordingTerminal } from '../terminal/recording-terminal.ts';
import { blockers, events, planOf, resultOf } from '../views/examples.ts';

const options: PerformOptions = { yes: true, output: undefined, invocation: ['poimen', 'cutover', 'clef'] };

/** A run that has been planned, and plays the example's events when it is run. */
const plannedRun = (plan: Plan, result: RunResult): PlannedRun & { readonly runs: number[] } => {
  const clock = new VirtualClock(0);
  const runs: number[] = [];
  return {
    plan,
    clock,
    runs,
    run(listener) {
      runs.push(runs.length + 1);
      for (const event of events) listener(event);
      return Promise.resolve(result);
    },
    close: () => Promise.resolve(),
  };
};

const log = events.map((event) => renderEvent(event, plainStyle)).join('');

describe('in a pipe', () => {
  it('the plan and a log go to stderr, the result to stdout', async () => {
    const terminal = createRecordingTerminal({ kind: 'pipe' });
    const exitCode = await performRun(plannedRun(planOf(), resultOf()), options, terminal);
    expect(terminal.written).toEqual({
      stdout: renderResult(resultOf(), plainStyle),
      stderr: `${renderPlan(planOf(), plainStyle)}\n${log}`,
    });
    expect(exitCode).toBe(0);
  });

  it('nobody is asked: without --yes nothing runs, and the command with it is named', async () => {
    const terminal = createRecordingTerminal({ kind: 'pipe', answer: true });
    const planned = plannedRun(planOf(), resultOf());
    const refused = performRun(planned, { ...options, yes: false }, terminal);
    await expect(refused).rejects.toMatchObject({ exitCode: 3, code: 'ConfirmationNeeded', nextSteps: ['poimen cutover clef --yes'] });
    expect(planned.runs).toEqual([]);
    expect(terminal.questions).toEqual([]);
    expect(terminal.written).toEqual({ stdout: '', stderr: `${renderPlan(planOf(), plainStyle)}\n` });
  });

  it('-o json prints one document on stdout', async () => {
    const terminal = createRecordingTerminal({ kind: 'pipe' });
    await performRun(plannedRun(planOf(), resultOf()), { ...options, output: 'json' }, terminal);
    expect(terminal.written.stdout).toBe(renderJson(resultOf()));
  });

  it('-o jsonl prints the events on stdout, and no log beside them', async () => {
    const terminal = createRecordingTerminal({ kind: 'pipe' });
    await performRun(plannedRun(planOf(), resultOf()), { ...options, output: 'jsonl' }, terminal);
    expect(terminal.written).toEqual({ stdout: events.map(renderJsonLine).join(''), stderr: `${renderPlan(planOf(), plainStyle)}\n` });
  });

  it('what a cluster says cannot move the cursor', async () => {
    const terminal = createRecordingTerminal({ kind: 'pipe' });
    const plan = planOf({ warnings: ['\u001b[2Jpod/\u001b[31mx is Pending'] });
    await performRun(plannedRun(plan, resultOf({ nextSteps: ['\u001b]0;owned\u0007go back'] })), options, terminal);
    expect(terminal.written.stderr).toContain('warning: pod/x is Pending\n');
    expect(`${terminal.written.stdout}${terminal.written.stderr}`).not.toContain('\u001b');
  });
});

describe('on a terminal', () => {
  it('the person is asked what would run where, and a no changes nothing', async () => {
    const terminal = createRecordingTerminal({ kind: 'terminal', answer: false });
    const planned = plannedRun(planOf({ cluster: { kind: 'live', name: 'prod', server: 'https://10.0.0.1:6443' } }), resultOf());
    const refused = performRun(planned, { ...options, yes: false }, terminal);
    await expect(refused).rejects.toMatchObject({ exitCode: 3, code: 'NotConfirmed', detail: 'Nothing was changed.' });
    expect(terminal.questions).toEqual(['Run these 4 steps on prod (https://10.0.0.1:6443)?']);
    expect(planned.runs).toEqual([]);
  });

  it('a yes runs it, and the result leaves out the steps that were just watched', async () => {
    const terminal = createRecordingTerminal({ kind: 'terminal', answer: true });
    const exitCode = await performRun(plannedRun(planOf(), resultOf()), { ...options, yes: false }, terminal);
    expect(terminal.questions).toEqual(['Run these 4 steps on the twin of examples/llm-serving?']);
    expect(terminal.written.stdout).toBe(renderResult(resultOf(), terminal.stdout.style, true));
    expect(exitCode).toBe(0);
  });

  it('the first Ctrl-C stops the run, the second one leaves', async () => {
    const terminal = createRecordingTerminal({ kind: 'terminal' });
    const planned: PlannedRun = {
      ...plannedRun(planOf(), resultOf()),
      run(_, signal) {
        terminal.interrupt();
        expect(signal.aborted).toBe(true);
        expect(terminal.left).toEqual([]);
        expect(() => terminal.interrupt()).toThrow('left');
        return Promise.resolve(resultOf({ outcome: 'interrupted' }));
      },
    };
    expect(await performRun(planned, options, terminal)).toBe(130);
    expect(terminal.left).toEqual([130]);
  });

  it('after the run one more Ctrl-C changes nothing any more', async () => {
    const terminal = createRecordingTerminal({ kind: 'terminal' });
    await performRun(plannedRun(planOf(), resultOf()), options, terminal);
    const before = { ...terminal.written };
    terminal.interrupt();
    expect({ left: terminal.left, written: terminal.written }).toEqual({ left: [], written: before });
  });

  it('Ctrl-C before the first step leaves, and says that nothing was changed', async () => {
    const terminal = createRecordingTerminal({ kind: 'pipe' });
    const planned = plannedRun(planOf(), resultOf());
    const write = terminal.stderr.write.bind(terminal.stderr);
    let isInterrupted = false;
    Object.assign(terminal.stderr, {
      write: (text: string) => {
        write(text);
        if (isInterrupted) return;
        isInterrupted = true;
        terminal.interrupt();
      },
    });
    await expect(performRun(planned, options, terminal)).rejects.toThrow('left');
    expect(terminal.written.stderr.endsWith('interrupted before the first step; nothing was changed\n')).toBe(true);
    expect({ left: terminal.left, runs: planned.runs }).toEqual({ left: [130], runs: [] });
  });
});

describe('what cannot or need not run', () => {
  it('is neither shown as a plan nor asked about', async () => {
    for (const plan of [planOf({ blockers }), planOf({ nothingToDo: true })]) {
      const terminal = createRecordingTerminal({ kind: 'pipe' });
      const planned: PlannedRun = { ...plannedRun(plan, resultOf()), run: () => Promise.resolve(resultOf({ outcome: 'refused' })) };
      expect(await performRun(planned, { ...options, yes: false }, terminal)).toBe(3);
      expect(terminal.written.stderr).toBe('');
    }
  });
});

it.each([
  ['completed', 0],
  ['nothingToDo', 0],
  ['refused', 3],
  ['halted', 5],
  ['interrupted', 130],
] as const)('a run that is %s ends with %i', async (outcome, exitCode) => {
  const terminal = createRecordingTerminal({ kind: 'pipe' });
  expect(await performRun(plannedRun(planOf(), resultOf({ outcome })), options, terminal)).toBe(exitCode);
});

it('an error in the middle of a run gives the terminal back', async () => {
  const terminal = createRecordingTerminal({ kind: 'terminal' });
  const planned: PlannedRun = { ...plannedRun(planOf(), resultOf()), run: () => Promise.reject(new Error('a bug')) };
  await expect(performRun(planned, options, terminal)).rejects.toThrow('a bug');
  expect(terminal.written.stderr.endsWith('\u001b[?25h')).toBe(true);
});
