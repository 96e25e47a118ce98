import { exitCodes } from '../errors/exit-codes.ts';
import { PoimenError } from '../errors/poimen-error.ts';
import type { Plan } from '../engine/plan.ts';
import type { RunOutcome, RunResult } from '../engine/event.ts';
import { again } from '../operations/invocation.ts';
import type { PlannedRun } from '../operations/plan-runbook.ts';
import { printable } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { renderJson } from '../views/json.ts';
import { renderPlan } from '../views/plan.ts';
import { createJsonProgress, createLineProgress, type Progress } from '../views/progress.ts';
import { renderResult } from '../views/result.ts';
import { count } from '../views/text.ts';
import { leaveWhenInterrupted, listenForInterrupts, type Interruptible } from './interrupts.ts';

export interface PerformOptions {
  readonly yes: boolean;
  readonly output: 'json' | 'jsonl' | undefined;
  /** What was typed, the program first (`poimen`, or `npx poimen`). */
  readonly invocation: readonly string[];
}

/** Shows the plan, asks, runs it, shows how it went. Returns the exit code. */
export const performRun = async (planned: PlannedRun, options: PerformOptions, terminal: Terminal): Promise<number> => {
  const plan = printable(planned.plan);
  const willRun = plan.blockers.length === 0 && !plan.nothingToDo;
  const stopListening = leaveWhenInterrupted(terminal, 'before the first step');
  if (willRun) {
    terminal.stderr.write(`${renderPlan(plan, terminal.stderr.style)}\n`);
    if (!options.yes) await confirmRun(plan, options.invocation, terminal);
  }
  const live = willRun && terminal.stderr.isTerminal && options.output !== 'jsonl';
  const progress = live ? await createLive(planned, terminal) : createLines(options, terminal);
  const interruptible = listenForInterrupts(terminal, (text) => progress.say(text));
  stopListening(); // now that the run's own listener is there
  const result = await runInterruptibly(planned, progress, interruptible);
  if (options.output === 'json') terminal.stdout.write(renderJson(result));
  if (options.output === undefined) {
    terminal.stdout.write(renderResult(printable(result), terminal.stdout.style, live && terminal.stdout.isTerminal));
  }
  return exitCodes[outcomes[result.outcome]];
};

const outcomes = {
  completed: 'done',
  nothingToDo: 'done',
  halted: 'halted',
  interrupted: 'interrupted',
  refused: 'refused',
} as const satisfies Record<RunOutcome, keyof typeof exitCodes>;

const confirmRun = async (plan: Plan, invocation: readonly string[], terminal: Terminal): Promise<void> => {
  const nothingChanged = { outcome: 'refused', detail: 'Nothing was changed.' } as const;
  if (!terminal.interactive) {
    throw new PoimenError({
      ...nothingChanged,
      code: 'ConfirmationNeeded',
      summary: 'this run needs a yes, and nobody can be asked here',
      nextSteps: [`${again(invocation)} --yes`],
    });
  }
  const where = plan.cluster.kind === 'twin' ? `the twin of ${plan.cluster.name}` : `${plan.cluster.name} (${plan.cluster.server})`;
  if (await terminal.confirm(`Run these ${count(plan.steps.length, 'step')} on ${where}?`)) return;
  throw new PoimenError({ ...nothingChanged, code: 'NotConfirmed', summary: 'the answer was no' });
};

/** listr2 is loaded here: only a terminal needs it. */
const createLive = async (planned: PlannedRun, terminal: Terminal): Promise<Progress> => {
  const { createLiveProgress } = await import('../views/live-progress.ts');
  return createLiveProgress(planned.plan, planned.clock, terminal.stderr);
};

const createLines = (options: PerformOptions, terminal: Terminal): Progress =>
  options.output === 'jsonl' ? createJsonProgress(terminal) : createLineProgress(terminal.stderr);

const runInterruptibly = async (planned: PlannedRun, progress: Progress, interruptible: Interruptible): Promise<RunResult> => {
  try {
    return await planned.run((event) => progress.show(event), interruptible.signal);
  } finally {
    interruptible.ended();
    await progress.end();
  }
};
