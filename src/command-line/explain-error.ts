import { PoimenError } from '../errors/poimen-error.ts';
import { usageError } from './usage-error.ts';

/** The error in the reader's terms, or `undefined` for what nobody foresaw: a bug. */
export const explainError = (error: unknown, argv: readonly string[]): PoimenError | undefined =>
  error instanceof PoimenError ? error : explainUsage(error, argv);

/** oclif's complaints about commands, flags and arguments; those about flags end in a line that points to --help. */
const explainUsage = (error: unknown, argv: readonly string[]): PoimenError | undefined => {
  if (!(error instanceof Error) || !('oclif' in error)) return undefined;
  const [summary = '', ...detail] = error.message.split('\n').filter((line) => line !== 'See more help with --help');
  const command = 'parse' in error ? `${argv[0] ?? ''} ` : '';
  return usageError('Usage', lowerFirst(summary), [`poimen ${command}--help`], detail.join('\n').trim());
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
