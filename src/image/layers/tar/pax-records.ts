import { LayerTrouble } from '../layer-trouble.ts';

export type PaxRecords = ReadonlyMap<string, string>;

/**
 * Records of an extended header; later ones win. Names and values are byte strings.
 *
 * GNU's first sparse format repeats two keys for each piece of the file: they are joined into the `GNU.sparse.map` of the second.
 *
 * Source: POSIX pax, "pax Extended Header"; GNU tar manual, "Storing Sparse Files".
 */
export const parsePaxRecords = (bytes: Buffer): PaxRecords => {
  const records = new Map<string, string>();
  const sparseMap: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const { key, value, end } = recordAt(bytes, at);
    at = end;
    if (key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes') {
      const isTurn = (key === 'GNU.sparse.offset') === (sparseMap.length % 2 === 0);
      if (!isTurn || value.includes(',')) throw brokenRecord();
      sparseMap.push(value);
    } else {
      records.set(key, value);
    }
  }
  if (sparseMap.length > 0) records.set('GNU.sparse.map', sparseMap.join(','));
  return records;
};

interface PaxRecord {
  readonly key: string;
  readonly value: string;
  readonly end: number;
}

const recordAt = (bytes: Buffer, at: number): PaxRecord => {
  const space = bytes.indexOf(0x20, at);
  if (space === -1 || space - at > 10) throw brokenRecord();
  const digits = bytes.toString('latin1', at, space);
  const length = Number(digits);
  const end = at + length;
  if (!/^\+?\d+$/.test(digits) || length < 5 || end > bytes.length || end <= space + 1 || bytes[end - 1] !== 0x0a) throw brokenRecord();
  const record = bytes.toString('latin1', space + 1, end - 1);
  const equals = record.indexOf('=');
  const [key, value] = [record.slice(0, equals), record.slice(equals + 1)];
  const mayHoldNul = !['path', 'linkpath', 'uname', 'gname'].includes(key);
  if (equals < 1 || key.includes('\0') || (!mayHoldNul && value.includes('\0'))) throw brokenRecord();
  return { key, value, end };
};

const brokenRecord = (): LayerTrouble => new LayerTrouble('has an extended tar header (PAX) that is broken');

/** A number in a record; undefined where the record is missing or empty, which leaves the header's. */
export const numberOf = (records: PaxRecords, key: string): number | undefined => {
  const text = records.get(key);
  return text === undefined || text === '' ? undefined : parseDecimal(text);
};

export const parseDecimal = (text: string): number => {
  const value = /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new LayerTrouble('has an extended tar header (PAX) with a number that is none');
  return value;
};
