import type { ErrorCode, YAMLError } from 'yaml';
import type { ManifestProblem } from './position.ts';
import { positionAt, type SourceText } from './source-text.ts';

const hints: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'entries of one map or list begin in the same column',
  BAD_DQ_ESCAPE: 'use single quotes for a text with backslashes',
  BAD_SCALAR_START: 'quote the value',
  BLOCK_AS_IMPLICIT_KEY: 'quote a value that has ": " in it',
  BLOCK_IN_FLOW: 'inside {} and [] write everything in flow style',
  MISSING_CHAR: 'something is not closed or separated here: a quote, a bracket, a comma, or the space behind a ":"',
  MULTILINE_IMPLICIT_KEY: 'a ":" is missing behind the key, or the value in front of it needs quotes',
  TAB_AS_INDENT: 'indent with spaces',
  UNEXPECTED_TOKEN: 'quote the value if it is a text; check the indentation',
};

/** A syntax error in the words of the YAML library, with what usually causes it. */
export const syntaxProblem = (source: SourceText, error: YAMLError): ManifestProblem => ({
  ...positionAt(source, error.pos[0], error.pos[1]),
  message: `not YAML: ${lowerFirst(error.message)}`,
  hint: hints[error.code] ?? 'check quotes and indentation around here',
});

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
