import { PassThrough } from 'node:stream';
import { colouredStyle, plainStyle } from '../../src/terminal/style.ts';
import type { Output, Terminal } from '../../src/terminal/terminal.ts';

export interface RecordingTerminal extends Terminal {
  readonly written: { stdout: string; stderr: string };
  /** The questions that were asked. */
  readonly questions: string[];
  /** The exit codes of `leave`. */
  readonly left: number[];
  /** As if the person pressed Ctrl-C. */
  interrupt(): void;
}

export interface RecordingOptions {
  readonly kind: 'terminal' | 'pipe';
  /** What the person answers. */
  readonly answer?: boolean;
}

/** A terminal, or a pipe, that records what goes where. */
export const createRecordingTerminal = ({ kind, answer = false }: RecordingOptions): RecordingTerminal => {
  const written = { stdout: '', stderr: '' };
  const questions: string[] = [];
  const left: number[] = [];
  const listeners = new Set<() => void>();
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTerminal: kind === 'terminal',
    columns: 80,
    style: kind === 'terminal' ? colouredStyle : plainStyle,
    write: (text) => void (written[name] += text),
    stream: recordingStream((text) => (written[name] += text)),
  });
  return {
    stdout: output('stdout'),
    stderr: output('stderr'),
    interactive: kind === 'terminal',
    confirm(question) {
      questions.push(question);
      return Promise.resolve(answer);
    },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    leave(exitCode) {
      left.push(exitCode);
      throw new Error('left');
    },
    written,
    questions,
    left,
    interrupt() {
      for (const listener of listeners) listener();
    },
  };
};

/** What listr2 needs of a terminal's stream. */
const recordingStream = (onText: (text: string) => void): NodeJS.WriteStream => {
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => onText(chunk.toString()));
  return Object.assign(stream, { columns: 80, rows: 40, isTTY: true }) as unknown as NodeJS.WriteStream;
};
