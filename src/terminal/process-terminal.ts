import process from 'node:process';
import type { WriteStream } from 'node:tty';
import { PoimenError } from '../errors/poimen-error.ts';
import { wantsColour } from './colour.ts';
import { colouredStyle, plainStyle } from './style.ts';
import type { Output, Terminal } from './terminal.ts';

const interruptingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal or pipes of this process. */
export const createProcessTerminal = (): Terminal => ({
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  interactive: Boolean(process.stdin.isTTY) && Boolean(process.stderr.isTTY),

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

  leave: (exitCode) => process.exit(exitCode),
});

const interruptedAtPrompt = (): PoimenError =>
  new PoimenError({ outcome: 'interrupted', code: 'Interrupted', summary: 'interrupted at the question', detail: 'Nothing was changed.' });

const outputOf = (stream: WriteStream): Output => {
  stream.on('error', ignoreBrokenPipe);
  const isTerminal = Boolean(stream.isTTY); // absent in a pipe, whatever its type says
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

/** Whoever reads may stop (`| head`). What is under way goes on: half a hand-over is worse than unread lines. */
const ignoreBrokenPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};
