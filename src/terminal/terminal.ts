import type { Style } from './style.ts';

/** Where poimen's words go and where a person's answers come from. stdout carries data, stderr status and progress. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;

  /** A person sits there and can be asked: input and stderr are a terminal. */
  readonly interactive: boolean;

  /** Asks on stderr; the answer to a bare Enter is no. Throws `PoimenError` (interrupted) on Ctrl-C. */
  confirm(question: string): Promise<boolean>;

  /** Calls back on each SIGINT, SIGTERM or SIGHUP until the returned function is called. */
  onInterrupt(listener: () => void): () => void;

  /** Ends the process at once, with nothing tidied up. */
  leave(exitCode: number): never;
}

export interface Output {
  readonly isTerminal: boolean;
  /** Width in characters; 80 where it is not known. */
  readonly columns: number;
  /** Colours where this output shows them, plain text elsewhere. */
  readonly style: Style;
  /** Writes the text as it is. What comes from a cluster goes through `printable` first. */
  write(text: string): void;
  /** The stream behind it, for what draws on a terminal. */
  readonly stream: NodeJS.WriteStream;
}
