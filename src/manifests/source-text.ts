import { LineCounter } from 'yaml';
import type { Position } from './position.ts';

/** A file's text with its line starts. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  readonly lines: LineCounter;
}

/** The position of a span of offsets into the text. */
export const positionAt = ({ file, text, lines }: SourceText, start: number, end: number): Position => {
  const { line, col } = lines.linePos(start);
  const lineEnd = text.indexOf('\n', start);
  const stop = Math.min(end, lineEnd < 0 ? text.length : lineEnd);
  return { file, line: Math.max(line, 1), column: Math.max(col, 1), length: Math.max(stop - start, 1) };
};

/** Counted here, because the parser misses lines behind a syntax error. */
export const lineStarts = (text: string): LineCounter => {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines.addNewLine(index + 1);
  return lines;
};
