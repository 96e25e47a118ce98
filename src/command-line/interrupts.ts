import { exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Ctrl-C while nothing is under way that would have to be stopped with care. Returns how to stop listening. */
export const leaveWhenInterrupted = (terminal: Terminal, meanwhile: string): (() => void) =>
  terminal.onInterrupt(() => {
    terminal.stderr.write(`${terminal.stderr.isTerminal ? '\n' : ''}interrupted ${meanwhile}; nothing was changed\n`);
    terminal.leave(exitCodes.interrupted);
  });

export interface Interruptible {
  readonly signal: AbortSignal;
  /** From here on nothing is left to stop: one more interrupt is ignored, the next one leaves. */
  ended(): void;
}

/** The first interrupt asks the run to stop where it can be taken up again, the second one leaves at once. */
export const listenForInterrupts = (terminal: Terminal, say: (text: string) => void): Interruptible => {
  const controller = new AbortController();
  let isRunning = true;
  terminal.onInterrupt(() => {
    if (controller.signal.aborted) terminal.leave(exitCodes.interrupted);
    if (isRunning) say('interrupted: stopping where it can be taken up again; once more leaves at once');
    controller.abort();
  });
  return { signal: controller.signal, ended: () => void (isRunning = false) };
};

/** Resolves with the first interrupt; for what runs until somebody ends it. */
export const untilInterrupted = (terminal: Pick<Terminal, 'onInterrupt'>): Promise<void> =>
  new Promise((resolve) => {
    const stop = terminal.onInterrupt(() => {
      stop();
      resolve();
    });
  });
