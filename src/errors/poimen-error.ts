import { exitCodes, type Outcome } from './exit-codes.ts';

export interface PoimenErrorFields {
  /** Which exit code the command ends with. */
  readonly outcome: Exclude<Outcome, 'done' | 'unexpected'>;
  /** Stable, CamelCase, for scripts: `ContextNotFound`. Part of `-o json`. */
  readonly code: string;
  /** One line: what happened, and to what. */
  readonly summary: string;
  /** Why, where that is known: the server's own words, a source excerpt. May have several lines. */
  readonly detail?: string;
  /** What the reader can do next; a command where there is one. */
  readonly nextSteps?: readonly string[];
  readonly cause?: unknown;
}

/** An error that the reader can do something about. Anything else that is thrown is a bug and ends with exit code 1. */
export class PoimenError extends Error {
  readonly outcome: PoimenErrorFields['outcome'];
  readonly code: string;
  readonly detail: string | undefined;
  readonly nextSteps: readonly string[];

  constructor(fields: PoimenErrorFields) {
    super(fields.summary, fields.cause === undefined ? {} : { cause: fields.cause });
    this.name = 'PoimenError';
    this.outcome = fields.outcome;
    this.code = fields.code;
    this.detail = fields.detail;
    this.nextSteps = fields.nextSteps ?? [];
  }

  get exitCode(): number {
    return exitCodes[this.outcome];
  }
}
