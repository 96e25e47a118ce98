import type { Position } from '../manifests/position.ts';

/**
 * Where characters `start` to `end` of a text value are written, in a scalar that begins at `scalar`: quotes, escapes and folded
 * lines are accounted for.
 *
 * Walks the value and its source side by side. White space in a value may be a line break with indentation in the source, so only the
 * other characters, and escapes, are matched; nothing that a caret points at begins with white space.
 */
export const positionInScalar = (text: string, scalar: Position, value: string, start: number, end: number): Position => {
  const scalarStart = offsetOf(text, scalar);
  const style = text.charAt(scalarStart);
  let offset = scalarStart;
  if (style === '"' || style === "'") offset++;
  if (style === '|' || style === '>') offset = text.indexOf('\n', offset);
  let found: number | undefined;
  let foundEnd = offset;
  for (let index = 0; index < Math.min(value.length, Math.max(end, start + 1)); index++) {
    const isSpace = /\s/.test(value.charAt(index));
    if (isSpace && !isEscape(text, offset, style)) continue;
    if (!isSpace) offset = skipSpace(text, offset, style);
    if (index >= start) found ??= offset;
    offset += sourceLength(text, offset, style);
    foundEnd = offset;
  }
  return positionAt(text, scalar.file, found ?? foundEnd, foundEnd);
};

const isEscape = (text: string, offset: number, style: string): boolean => style === '"' && text.charAt(offset) === '\\';

/** Over white space, and the backslash that joins two lines. */
const skipSpace = (text: string, from: number, style: string): number => {
  let offset = from;
  while (/\s/.test(text.charAt(offset)) || (isEscape(text, offset, style) && /[\r\n]/.test(text.charAt(offset + 1)))) offset++;
  return offset;
};

/** How many characters of the source stand for one of the value. */
const sourceLength = (text: string, offset: number, style: string): number => {
  if (style === "'" && text.startsWith("''", offset)) return 2;
  if (!isEscape(text, offset, style)) return 1;
  return { x: 4, u: 6, U: 10 }[text.charAt(offset + 1)] ?? 2;
};

const offsetOf = (text: string, { line, column }: Position): number => {
  let lineStart = 0;
  for (let number = 1; number < line; number++) lineStart = text.indexOf('\n', lineStart) + 1;
  return lineStart + column - 1;
};

const positionAt = (text: string, file: string, start: number, end: number): Position => {
  const lines = text.slice(0, start).split('\n');
  const lineEnd = text.indexOf('\n', start);
  const stop = Math.min(end, lineEnd < 0 ? text.length : lineEnd);
  return { file, line: lines.length, column: (lines.at(-1) ?? '').length + 1, length: Math.max(1, stop - start) };
};
