import type { RunEvent } from '../engine/event.ts';
import { formatDuration } from '../kubernetes/duration.ts';
import type { Style } from '../terminal/style.ts';
import { fullName } from '../kubernetes/reference.ts';
import { renderPath, renderValue } from './change.ts';
import { clockTime } from './text.ts';

/** What a log shows of an event: a line or none. The result is shown elsewhere, so the end of the run has none. */
export const renderEvent = (event: RunEvent, style: Style): string => {
  const text = describe(event, style);
  return text === undefined ? '' : `${style.faint(clockTime(event.at))} ${text}\n`;
};

const describe = (event: RunEvent, style: Style): string | undefined => {
  switch (event.type) {
    case 'runStarted':
      return `run ${event.run} of ${event.runbook}${event.simulated ? ' (simulated)' : ''}`;
    case 'stepStarted':
      return style.strong(event.title);
    case 'stepSkipped':
      return `${event.title}: ${event.reason === 'satisfied' ? 'ok' : 'skipped'}`;
    case 'written':
      return `  wrote ${fullName(event.mutation.target)}: ${writtenFields(event.mutation.patch)}`;
    case 'waiting':
      return `  waiting: ${event.missing}`;
    case 'stepDone': {
      const notes = [event.evidence, event.notProbed === true ? 'not probed' : undefined].filter((note) => note !== undefined);
      return `  ${style.good('done')} in ${formatDuration(event.tookMs)}${notes.map((note) => `, ${note}`).join('')}`;
    }
    case 'stepFailed':
      return `  ${event.interrupted === true ? style.caution('interrupted') : style.bad('failed')}: ${event.reason}`;
    case 'reachability':
      return `  reachability${event.step === undefined ? '' : ` after ${event.step}`}: ${event.seen}${event.met ? '' : ` ${style.bad(`(expected: ${event.expected})`)}`}${event.probed ? '' : ', not probed'}`;
    case 'backends':
      return `  ${event.service}: ${event.ready.length === 0 ? style.caution('no ready backend') : `ready backends ${event.ready.join(', ')}`}`;
    case 'warning':
      return `${style.caution('warning:')} ${event.message}`;
    case 'runFinished':
      return undefined;
  }
};

const writtenFields = (patch: Extract<RunEvent, { type: 'written' }>['mutation']['patch']): string =>
  patch
    .filter((operation) => operation.op !== 'test')
    .map((operation) =>
      operation.op === 'remove' ? `${renderPath(operation.path)} removed` : `${renderPath(operation.path)} ${renderValue(operation.value)}`,
    )
    .join(', ');
