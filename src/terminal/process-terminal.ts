import { writeSync } from 'node:fs';
import { PoimenError } from '../errors/poimen-error.ts';
import { wantsColour } from './colour.ts';
import { colouredStyle, plainStyle } from './style.ts';
import type { Output, Terminal } from './terminal.ts';

/** DECTCEM: text cursor enable mode. */
const showCursor = '\u001b[?25h';

const interruptingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal or pipes of this process. (Importing node:process or node:tty as a module costs a quarter of a start.) */
export const createProcessTerminal = (): Terminal => ({
  stdout: outputOf(process.stdout, process.stdout.isTTY),
  stderr: outputOf(process.stderr, process.stderr.isTTY),
  // asked late: opening stdin is not free either
  get interactive() {
    return process.stdin.isTTY && process.stderr.isTTY;
  },

  async confirm(question) {
    const { confirm } = await import('@inquirer/prompts'); // loaded only when somebody is asked: it costs a third of a start
    try {
      return await confirm({ message: question, default: false }, { input: process.stdin, output: process.stderr });
    } catch (error) {
      if (error instanceof Error && error.name === 'ExitPromptError') throw interruptedAtPrompt();
      throw error;
    }
  },

  onInterrupt(listener) {
    for (const signal of interruptingSignals) process.on(signal, listener);
    return () => {
      for (const signal of interruptingSignals) process.off(signal, listener);
    };
  },

  leave(exitCode) {
    // Straight to the terminal: a list that is being drawn has hidden the cursor and holds the stream.
    if (process.stderr.isTTY) writeSync(process.stderr.fd, `${showCursor}\n`);
    process.exit(exitCode);
  },
});

const interruptedAtPrompt = (): PoimenError =>
  new PoimenError({ outcome: 'interrupted', code: 'Interrupted', summary: 'interrupted at the question', detail: 'Nothing was changed.' });

/** `isTTY` is absent in a pipe, whatever its type says. */
const outputOf = (stream: NodeJS.WriteStream, isTTY: boolean | undefined): Output => {
  const isTerminal = isTTY === true;
  stream.on('error', ignoreLostReader);
  return {
    isTerminal,
    get columns() {
      return stream.columns ?? 80;
    },
    style: wantsColour(process.env, isTerminal) ? colouredStyle : plainStyle,
    write: (text) => void stream.write(text),
    stream,
  };
};

/**
 * Whoever reads may stop (`| head`), close the terminal, or have no room left for the log. What is under way goes on: half a hand-over
 * is worse than unread lines.
 */
const ignoreLostReader = (): void => undefined;
