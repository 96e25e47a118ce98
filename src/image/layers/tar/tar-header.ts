import { LayerTrouble } from '../layer-trouble.ts';

export const blockBytes = 512;

/** As the header block says it, before extended headers. Names are byte strings: one character a byte (latin1), whatever the encoding. */
export interface RawHeader {
  readonly name: string;
  readonly linkName: string;
  readonly size: number;
  readonly type: string;
  readonly isGnu: boolean;
}

export const isZeroBlock = (block: Buffer, at: number): boolean => {
  for (let index = at; index < at + blockBytes; index++) if (block[index] !== 0) return false;
  return true;
};

/**
 * One header block, read as Go's archive/tar reads it, because that is what containerd, CRI-O, Docker, Podman and buildah unpack with.
 *
 * Source: POSIX pax, "ustar Interchange Format"; GNU tar manual, "Basic Tar Format"; Go, archive/tar.
 */
export const parseHeader = (block: Buffer, at: number): RawHeader => {
  if (!hasRightChecksum(block, at)) throw new LayerTrouble('is no tar at a place where a header has to be: wrong checksum');
  const isUstar = matches(block, at + 257, 'ustar\0');
  const isStar = isUstar && matches(block, at + 508, 'tar\0');
  const isGnu = matches(block, at + 257, 'ustar  \0');
  const prefix = isUstar ? textOf(block, at + 345, isStar ? 131 : 155) : isGnu ? oldGnuPrefix(block, at) : '';
  const name = textOf(block, at, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    linkName: block[at + 157] === 0 ? '' : textOf(block, at + 157, 100),
    size: parseNumber(block, at + 124, 12),
    type: String.fromCharCode(block[at + 156] ?? 0),
    isGnu,
  };
};

/** Up to the first NUL. */
export const textOf = (block: Buffer, at: number, length: number): string => {
  const end = block.indexOf(0, at);
  return block.toString('latin1', at, end === -1 ? at + length : Math.min(end, at + length));
};

/** Octal digits, or base 256 where the first bit is set (GNU). */
export const parseNumber = (block: Buffer, at: number, length: number): number => {
  const first = block[at] ?? 0;
  if ((first & 0x80) !== 0) {
    if ((first & 0x40) !== 0) throw new LayerTrouble('has a tar header with a negative number');
    let value = first & 0x3f;
    for (let index = at + 1; index < at + length; index++) value = value * 256 + (block[index] ?? 0);
    if (!Number.isSafeInteger(value)) throw new LayerTrouble('has a tar header with a number beyond all files');
    return value;
  }
  const text = trimmed(block.toString('latin1', at, at + length));
  if (text === '') return 0;
  if (!/^[0-7]+$/.test(text)) throw new LayerTrouble('has a tar header with a number that is none');
  return Number.parseInt(text, 8);
};

const trimmed = (field: string): string => {
  const text = field.replace(/^[ \0]+/, '').replace(/[ \0]+$/, '');
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
};

/** Sums of unsigned bytes (POSIX) and of signed ones (old Sun tars); the checksum itself counts as spaces. */
const hasRightChecksum = (block: Buffer, at: number): boolean => {
  let unsigned = 8 * 32;
  let above = 0;
  for (let index = at; index < at + blockBytes; index++) {
    if (index === at + 148) index += 8;
    const byte = block[index] ?? 0;
    unsigned += byte;
    if (byte > 127) above++;
  }
  const said = trimmed(block.toString('latin1', at + 148, at + 156));
  return /^[0-7]+$/.test(said) && [unsigned, unsigned - 256 * above].includes(Number.parseInt(said, 8));
};

const matches = (block: Buffer, at: number, text: string): boolean => {
  for (let index = 0; index < text.length; index++) if (block[at + index] !== text.charCodeAt(index)) return false;
  return true;
};

/** Go before 1.8 wrote a prefix where the GNU format has times; Go still reads it if the times are none and it is ASCII. */
const oldGnuPrefix = (block: Buffer, at: number): string => {
  const isTime = (from: number): boolean => {
    if (block[from] === 0) return true;
    try {
      parseNumber(block, from, 12);
      return true;
    } catch {
      return ((block[from] ?? 0) & 0xc0) === 0xc0; // a negative time is one
    }
  };
  if (isTime(at + 345) && isTime(at + 357)) return '';
  const prefix = textOf(block, at + 345, 155);
  return Buffer.from(prefix, 'latin1').every((byte) => byte < 0x80) ? prefix : '';
};
