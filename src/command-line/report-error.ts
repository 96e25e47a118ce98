import { exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { renderBug, renderError } from '../views/error.ts';
import { renderJson, renderJsonLine } from '../views/json.ts';
import { errorDocument } from '../views/error-document.ts';
import { explainError } from './explain-error.ts';

/** Says what went wrong, in words on stderr and, where a program asked, as a document on stdout. Returns the exit code. */
export const reportError = (error: unknown, argv: readonly string[], terminal: Terminal, debug: boolean): number => {
  const explained = explainError(error, argv);
  const exitCode = explained?.exitCode ?? exitCodes.unexpected;
  const { style } = terminal.stderr;
  terminal.stderr.write(explained === undefined ? renderBug(error, style, debug) : renderError(explained, style));
  const format = requestedFormat(argv);
  if (format === 'json') terminal.stdout.write(renderJson(errorDocument(explained ?? error, exitCode)));
  if (format === 'jsonl') terminal.stdout.write(renderJsonLine({ type: 'error', ...errorDocument(explained ?? error, exitCode) }));
  return exitCode;
};

/** Read from the bare arguments: the error may be that they cannot be parsed. */
const requestedFormat = (argv: readonly string[]): string | undefined => {
  const text = argv.join('\n');
  return /^(?:-o\n?=?|--output[\n=])(jsonl?)$/m.exec(text)?.[1];
};
