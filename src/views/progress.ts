import type { RunEvent } from '../engine/event.ts';
import { printable } from '../terminal/printable.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { renderEvent } from './event-lines.ts';
import { renderJsonLine } from './json.ts';

/** Shows a run while it runs. Made from its events alone. */
export interface Progress {
  show(event: RunEvent): void;
  /** Something that a person has to read at once and that is not the run's. */
  say(text: string): void;
  /** Called once the run has ended; resolves when everything is on the screen. */
  end(): Promise<void>;
}

/** A line per event: for a pipe and for logs. */
export const createLineProgress = (output: Output): Progress => ({
  show: (event) => output.write(renderEvent(printable(event), output.style)),
  say: (text) => output.write(`${text}\n`),
  end: () => Promise.resolve(),
});

/** The events themselves on stdout, one JSON document a line: `-o jsonl`. */
export const createJsonProgress = (terminal: Terminal): Progress => ({
  show: (event) => terminal.stdout.write(renderJsonLine(event)),
  say: (text) => terminal.stderr.write(`${text}\n`),
  end: () => Promise.resolve(),
});
