import { PoimenError } from '../errors/poimen-error.ts';

/** What `-o json` prints of an error. The keys are a stable interface. */
export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly summary: string;
    readonly detail?: string;
    readonly nextSteps: readonly string[];
    readonly exitCode: number;
  };
}

export const errorDocument = (error: unknown, exitCode: number): ErrorDocument => {
  if (!(error instanceof PoimenError)) return { error: { code: 'Bug', summary: String(error), nextSteps: [], exitCode } };
  const detail = error.detail === undefined ? {} : { detail: error.detail };
  return { error: { code: error.code, summary: error.message, ...detail, nextSteps: error.nextSteps, exitCode } };
};
