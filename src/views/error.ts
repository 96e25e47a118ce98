import type { PoimenError } from '../errors/poimen-error.ts';
import { printableText } from '../terminal/printable.ts';
import type { Style } from '../terminal/style.ts';
import { indent } from './text.ts';

/**
 * ```
 * error: context "prod" does not exist
 *   known contexts: dev, test
 *   next: kubectl config get-contexts
 * ```
 */
export const renderError = (error: PoimenError, style: Style): string => {
  const lines = [`${style.bad('error:')} ${printableText(error.message)}`];
  if (error.detail !== undefined) lines.push(indent(printableText(error.detail), 2));
  for (const step of error.nextSteps) lines.push(`  ${style.strong('next:')} ${printableText(step)}`);
  return `${lines.join('\n')}\n`;
};

/** An error that nobody foresaw. The stack is for whoever mends it. */
export const renderBug = (error: unknown, style: Style, debug: boolean): string => {
  const message = error instanceof Error ? error.message : String(error);
  const lines = [`${style.bad('error:')} this is a bug in poimen: ${printableText(message)}`];
  if (debug && error instanceof Error) lines.push(indent(printableText(error.stack ?? ''), 2));
  else lines.push(`  ${style.strong('next:')} run it again with POIMEN_DEBUG=1 and report what it prints`);
  return `${lines.join('\n')}\n`;
};
