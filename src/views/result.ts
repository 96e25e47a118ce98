import type { RunResult, StepResult } from '../engine/event.ts';
import { formatDuration } from '../kubernetes/duration.ts';
import type { Style } from '../terminal/style.ts';
import { renderBlockers } from './blockers.ts';
import { renderChange } from './change.ts';
import { renderCluster } from './cluster.ts';
import { notProbedNote } from './plan.ts';
import { clockTime, count } from './text.ts';

/**
 * How the run ended: steps and their times, what changed, how long the Service had no backend, how to go on or back.
 * `stepsShown`: the reader has the steps on the screen already.
 */
export const renderResult = (result: RunResult, style: Style, stepsShown = false): string => {
  const stepless = stepsShown || result.outcome === 'nothingToDo' || result.outcome === 'refused';
  const sections = [
    [headline(result, style), `on ${renderCluster(result.cluster)}${result.run === undefined ? '' : `, run ${result.run}`}`],
    stepless ? [] : renderSteps(result.steps, style),
    renderFailure(result, style),
    renderChanges(result, style),
    [...renderOutage(result), ...(result.probed ? [] : [style.caution(notProbedNote)])],
    result.nextSteps,
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
};

const headline = (result: RunResult, style: Style): string => {
  const took = formatDuration(Date.parse(result.finishedAt) - Date.parse(result.startedAt));
  const time = `${took}${result.simulated ? ' of simulated time' : ''}`;
  switch (result.outcome) {
    case 'completed':
      return `${style.good('✔')} ${style.strong(`${result.runbook}: done`)} in ${time}`;
    case 'nothingToDo':
      return `${style.good('✔')} ${style.strong(`${result.runbook}: nothing to do`)}, everything is as wanted; nothing was changed`;
    case 'halted':
      return `${style.bad('✖')} ${style.strong(`${result.runbook}: halted`)} after ${time}`;
    case 'interrupted':
      return `${style.caution('!')} ${style.strong(`${result.runbook}: interrupted`)} after ${time}`;
    case 'refused':
      return `${style.bad('✖')} ${style.strong(`${result.runbook}: refused`)}; nothing was changed`;
  }
};

const renderSteps = (steps: readonly StepResult[], style: Style): readonly string[] => {
  const times = steps.map((step) => (step.tookMs === undefined ? stateWords[step.state] : formatDuration(step.tookMs)));
  const width = Math.max(...times.map((time) => time.length));
  return steps.map((step, index) => {
    const note = step.notProbed === true ? ` ${style.caution('(not probed)')}` : '';
    return `  ${stateMark(step.state, style)} ${(times[index] ?? '').padStart(width)}  ${step.title}${note}`;
  });
};

const stateWords: Readonly<Record<StepResult['state'], string>> = {
  done: 'done',
  satisfied: 'ok',
  skipped: 'skipped',
  failed: 'failed',
  notReached: 'not reached',
  interrupted: 'interrupted',
};

const stateMark = (state: StepResult['state'], style: Style): string => {
  switch (state) {
    case 'done':
    case 'satisfied':
      return style.good('✔');
    case 'skipped':
      return style.faint('-');
    case 'failed':
      return style.bad('✖');
    case 'notReached':
      return style.faint('·');
    case 'interrupted':
      return style.caution('!');
  }
};

const renderFailure = ({ failure }: RunResult, style: Style): readonly string[] => {
  if (failure === undefined) return [];
  return [
    `${style.bad('why')}${failure.step === undefined ? '' : ` at ${failure.step}`}: ${failure.reason}`,
    ...failure.troubles.map((trouble) => `  ${trouble.object}: ${trouble.code}: ${trouble.message}`),
    ...renderBlockers(failure.blockers, style),
  ];
};

const renderChanges = (result: RunResult, style: Style): readonly string[] =>
  result.changes.length === 0
    ? []
    : [
        result.failure === undefined ? 'changed' : 'changed so far',
        ...result.changes.map((change) => `  ${change.object}  ${style.strong(renderChange(change))}`),
      ];

const renderOutage = ({ outage }: RunResult): readonly string[] => {
  if (outage === undefined) return [];
  if (outage.windows.length === 0) return ['the Service had a ready backend all the time'];
  const windows = outage.windows.map((window) => `${clockTime(window.from)} to ${window.to === undefined ? 'now' : clockTime(window.to)}`);
  const often = windows.length === 1 ? '' : `, in ${count(windows.length, 'window')}`;
  return [`the Service had no ready backend for ${formatDuration(outage.totalMs)}${often} (${windows.join(', ')})`];
};
