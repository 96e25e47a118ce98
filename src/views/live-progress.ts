import { DefaultRenderer, Listr, ListrLogger, ProcessOutput, type ListrTask } from 'listr2';
import type { Clock } from '../clock/clock.ts';
import type { RunEvent } from '../engine/event.ts';
import type { Plan, PlannedStep } from '../engine/plan.ts';
import { formatDuration } from '../kubernetes/duration.ts';
import { printable } from '../terminal/printable.ts';
import type { Output } from '../terminal/terminal.ts';
import { renderEvent } from './event-lines.ts';
import type { Progress } from './progress.ts';
import { shorten } from './text.ts';

const refreshMs = 200;

/** listr2's mark before a title, and the column that it leaves free at the right. */
const iconWidth = 4;

/** listr2 asks stdout whether there is a terminal; this list is drawn on stderr, which is one. */
class StderrRenderer extends DefaultRenderer {
  static override nonTTY = true;
}

/** A task list that is redrawn in place, one task for each planned step. `clock` is the run's: on the twin, time runs faster. */
export const createLiveProgress = (plan: Plan, clock: Clock, output: Output): Progress => {
  const steps = new Map(plan.steps.map((step) => [step.id, new LiveStep(printable(step), clock, output)]));
  const warnings: RunEvent[] = [];
  const list = new Listr(
    [...steps.values()].map((step) => step.task()),
    {
      registerSignalListeners: false,
      renderer: StderrRenderer,
      rendererOptions: {
        formatOutput: 'truncate',
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- listr2 types a logger by the levels of its default renderer only
        logger: new ListrLogger({ processOutput: new ProcessOutput(output.stream, output.stream) }),
      },
    },
  );
  const drawn = list.run().catch(() => undefined); // a failed step ends the list; why it failed is in the result

  return {
    show(event) {
      const shown = printable(event);
      if (shown.type === 'warning') warnings.push(shown);
      if ('step' in shown && shown.step !== undefined) steps.get(shown.step)?.show(shown);
    },
    say(text) {
      for (const step of steps.values()) step.say(text);
    },
    async end() {
      for (const step of steps.values()) step.leave();
      await drawn;
      for (const warning of warnings) output.write(renderEvent(warning, output.style));
    },
  };
};

interface End {
  readonly kind: 'done' | 'skipped' | 'failed';
  readonly title: string;
}

/** One line of the list, and under it what the step waits for. */
class LiveStep {
  private readonly step: PlannedStep;
  private readonly clock: Clock;
  private readonly output: Output;
  private readonly ended = Promise.withResolvers<End>();
  private waiting: { readonly missing: string; readonly sinceMs: number } | undefined;
  private said: string | undefined;

  constructor(step: PlannedStep, clock: Clock, output: Output) {
    this.step = step;
    this.clock = clock;
    this.output = output;
  }

  show(event: RunEvent): void {
    const { title } = this.step;
    switch (event.type) {
      case 'waiting':
        this.waiting = { missing: event.missing, sinceMs: this.clock.monotonicMs() - event.sinceMs };
        return;
      case 'stepSkipped':
        this.ended.resolve({ kind: 'skipped', title: this.titleWith(event.reason === 'satisfied' ? 'ok' : 'skipped') });
        return;
      case 'stepDone': {
        const note = `${formatDuration(event.tookMs)}${event.notProbed === true ? ', not probed' : ''}`;
        this.ended.resolve({ kind: 'done', title: this.titleWith(note) });
        return;
      }
      case 'stepFailed':
        this.ended.resolve({ kind: 'failed', title: `${title}: ${event.reason}` });
        return;
      default:
        return; // shown in the log of a pipe only
    }
  }

  say(text: string): void {
    this.said = text;
  }

  /** The run has ended. A step that has not is left as it is. */
  leave(): void {
    this.ended.resolve({ kind: 'failed', title: this.step.title });
  }

  task(): ListrTask {
    return {
      title: this.step.title,
      task: async (_, task) => {
        const timer = setInterval(() => {
          const text = this.said ?? this.waitingText();
          if (text !== undefined) task.output = text;
        }, refreshMs);
        const end = await this.ended.promise.finally(() => clearInterval(timer));
        if (end.kind === 'failed') throw new Error(end.title);
        if (end.kind === 'skipped') task.skip(end.title);
        else task.title = end.title;
      },
    };
  }

  /** The note has to be seen: in a narrow terminal it is the title that gives way. */
  private titleWith(note: string): string {
    const room = this.output.columns - iconWidth - '  '.length - note.length;
    return `${shorten(this.step.title, room)}  ${this.output.style.faint(note)}`;
  }

  private waitingText(): string | undefined {
    if (this.waiting === undefined) return undefined;
    const { missing, sinceMs } = this.waiting;
    const lastedMs = this.clock.monotonicMs() - sinceMs;
    return lastedMs < 1000 ? missing : `${missing}, ${formatDuration(Math.floor(lastedMs / 1000) * 1000)}`;
  }
}
