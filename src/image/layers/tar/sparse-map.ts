import { LayerTrouble } from '../layer-trouble.ts';
import { parseDecimal, type PaxRecords } from './pax-records.ts';
import { parseNumber } from './tar-header.ts';

/** A piece of a sparse file that the archive holds; between the pieces are zeros. */
export interface SparsePiece {
  readonly offset: number;
  readonly length: number;
}

/** Which of GNU's formats in PAX a file is stored in. `1.0` has its map before its content. Unknown versions: an ordinary file, as in Go. */
export const sparseFormatOf = (records: PaxRecords): '0.1' | '1.0' | undefined => {
  const version = `${records.get('GNU.sparse.major') ?? ''}.${records.get('GNU.sparse.minor') ?? ''}`;
  if (version === '1.0') return '1.0';
  if (version === '0.0' || version === '0.1') return '0.1';
  return version === '.' && (records.get('GNU.sparse.map') ?? '') !== '' ? '0.1' : undefined;
};

/** Versions 0.0 and 0.1: in the records. */
export const sparseMapOf = (records: PaxRecords): readonly SparsePiece[] => {
  const map = records.get('GNU.sparse.map') ?? '';
  const numbers = map === '' ? [] : map.split(',').map(parseDecimal);
  if (numbers.length !== 2 * parseDecimal(records.get('GNU.sparse.numblocks') ?? '')) throw brokenMap();
  return piecesOf(numbers);
};

/**
 * Version 1.0: lines of decimal numbers, first how many pieces there are, filled up to a block. `pieces` are all of them only if `bytes`
 * hold `linesWanted` lines.
 */
export const parseSparseMap = (bytes: Buffer): { readonly linesWanted: number; readonly pieces: readonly SparsePiece[] } => {
  const [first = '', ...numbers] = bytes.toString('latin1').split('\n').slice(0, -1);
  const count = 2 * parseDecimal(first);
  return { linesWanted: count + 1, pieces: numbers.length < count ? [] : piecesOf(numbers.slice(0, count).map(parseDecimal)) };
};

/** The old GNU format: `count` pieces of 24 bytes in a header block or one that extends it; the first empty one ends them. */
export const oldGnuPieces = (block: Buffer, at: number, count: number): readonly SparsePiece[] => {
  const pieces: SparsePiece[] = [];
  for (let index = 0; index < count; index++) {
    const from = at + index * 24;
    if (block[from] === 0) break;
    pieces.push({ offset: parseNumber(block, from, 12), length: parseNumber(block, from + 12, 12) });
  }
  return pieces;
};

/** In order, apart, within the file, and as much as the archive holds. */
export const checkSparseMap = (pieces: readonly SparsePiece[], fileBytes: number, storedBytes: number): void => {
  let end = 0;
  let stored = 0;
  for (const { offset, length } of pieces) {
    if (offset < end || offset + length > fileBytes) throw brokenMap();
    end = offset + length;
    stored += length;
  }
  if (stored !== storedBytes) throw brokenMap();
};

const piecesOf = (numbers: readonly number[]): readonly SparsePiece[] =>
  Array.from({ length: numbers.length / 2 }, (_, index) => ({ offset: numbers[2 * index] ?? 0, length: numbers[2 * index + 1] ?? 0 }));

const brokenMap = (): LayerTrouble => new LayerTrouble('has a sparse file whose map is broken');
