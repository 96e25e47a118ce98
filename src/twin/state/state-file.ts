import { crc32 } from 'node:zlib';

/**
 * The lines that a twin's state is kept in: a CRC-32 in eight hexadecimal digits, a blank, JSON without line breaks, a line feed.
 * A line that was not written to its end has no line feed or a wrong checksum.
 */
export const formatLine = (value: unknown): string => {
  const json = JSON.stringify(value);
  return `${checksumOf(json)} ${json}\n`;
};

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

export interface ReadLines {
  readonly values: readonly unknown[];
  /** Bytes up to the end of the last line that is whole. */
  readonly wholeBytes: number;
  /** A broken line has whole ones after it: no write that was cut short, but damage. */
  readonly isDamaged: boolean;
}

/** Reads the lines up to the first that is not whole. */
export const readLines = (content: Buffer): ReadLines => {
  const values: unknown[] = [];
  let position = 0;
  while (position < content.length) {
    const end = content.indexOf(0x0a, position);
    const value = end < 0 ? undefined : parseLine(content.toString('utf8', position, end));
    if (value === undefined) break;
    values.push(value);
    position = end + 1;
  }
  return { values, wholeBytes: position, isDamaged: hasWholeLine(content, position) };
};

const parseLine = (line: string): unknown => {
  const json = line.slice(9);
  if (line[8] !== ' ' || checksumOf(json) !== line.slice(0, 8)) return undefined;
  return JSON.parse(json);
};

const hasWholeLine = (content: Buffer, from: number): boolean => {
  let position = content.indexOf(0x0a, from) + 1;
  while (position > 0 && position < content.length) {
    const end = content.indexOf(0x0a, position);
    if (end < 0) return false;
    if (parseLine(content.toString('utf8', position, end)) !== undefined) return true;
    position = end + 1;
  }
  return false;
};
