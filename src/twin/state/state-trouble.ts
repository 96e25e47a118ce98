import { PoimenError } from '../../errors/poimen-error.ts';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const notOpened = (directory: string, error: unknown): PoimenError =>
  new PoimenError({
    outcome: 'refused',
    code: 'TwinStateNotWritable',
    summary: `the twin's state cannot be kept in ${directory}`,
    detail: messageOf(error),
    nextSteps: ['make the folder writable, or name another one in XDG_STATE_HOME'],
    cause: error,
  });

export const notWritten = (directory: string, error: unknown): PoimenError =>
  new PoimenError({
    outcome: 'halted',
    code: 'TwinStateNotWritten',
    summary: `the twin's state in ${directory} could not be written; the last request did not take effect`,
    detail: messageOf(error),
    nextSteps: ['make room, or make the folder writable, and run the same command again: the twin goes on from what it wrote before'],
    cause: error,
  });

export const damaged = (directory: string, detail: string): PoimenError =>
  new PoimenError({
    outcome: 'refused',
    code: 'TwinStateDamaged',
    summary: `the twin's state in ${directory} cannot be read`,
    detail,
    nextSteps: ['start again from the manifests with --fresh'],
  });
