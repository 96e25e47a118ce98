import type { RunEvent } from '../engine/event.ts';
import { printable } from '../terminal/printable.ts';
import type { Output } from '../terminal/terminal.ts';
import { renderEvent } from './event-lines.ts';
import { renderJsonLine } from './json.ts';

/** Shows a run while it runs. Made from its events alone. */
export interface Progress {
  show(event: RunEvent): void;
  /** Called once the run has ended; resolves when everything is on the screen. */
  end(): Promise<void>;
}

/** A line per event: for a pipe and for logs. */
export const createLineProgress = (output: Output): Progress => ({
  show: (event) => output.write(renderEvent(printable(event), output.style)),
  end: () => Promise.resolve(),
});

/** The events themselves, one JSON document a line: `-o jsonl`. */
export const createJsonProgress = (output: Output): Progress => ({
  show: (event) => output.write(renderJsonLine(event)),
  end: () => Promise.resolve(),
});
