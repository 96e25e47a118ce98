import type { RandomAccess } from './random-access.ts';

export interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
}

export interface ElfSegment {
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly offset: number;
  readonly fileSize: number;
}

export interface ElfFile {
  readonly sections: readonly ElfSection[];
  readonly segments: readonly ElfSegment[];
}

/** Of the tables, in bytes; a Linux binary's are a few kilobytes. */
const maxTableBytes = 8 * 2 ** 20;

const outOfRange = 0xffff; // SHN_XINDEX, PN_XNUM: the number stands in section 0

/**
 * Sections and segments of an ELF file, 32 and 64 bits, either byte order. Undefined: it is no ELF file, or its tables are broken; a program
 * may run all the same, it only says nothing of its build.
 *
 * Source: System V ABI, "Object files".
 */
export const readElf = async (file: RandomAccess): Promise<ElfFile | undefined> => {
  const ident = await file.read(0, 64);
  const [bits, order] = [ident[4], ident[5]];
  if (ident.length < 52 || ident.readUInt32BE(0) !== 0x7f454c46) return undefined;
  if ((bits !== 1 && bits !== 2) || (order !== 1 && order !== 2) || (bits === 2 && ident.length < 64)) return undefined;
  const fields = new Fields(ident, bits === 2, order === 1);
  const is64 = bits === 2;

  const segmentsAt = fields.word(is64 ? 32 : 28);
  const sectionsAt = fields.word(is64 ? 40 : 32);
  const [segmentBytes, segmentCount] = [fields.half(is64 ? 54 : 42), fields.half(is64 ? 56 : 44)];
  const [sectionBytes, sectionCount, namesIndex] = [fields.half(is64 ? 58 : 46), fields.half(is64 ? 60 : 48), fields.half(is64 ? 62 : 50)];

  const first = sectionsAt === 0 ? undefined : await rawSections(file, fields, sectionsAt, sectionBytes, 1);
  const zeroth = first?.[0];
  const raw =
    sectionsAt === 0
      ? []
      : await rawSections(file, fields, sectionsAt, sectionBytes, sectionCount === 0 ? (zeroth?.size ?? 0) : sectionCount);
  const segments = await segmentsOf(
    file,
    fields,
    segmentsAt,
    segmentBytes,
    segmentCount === outOfRange ? (zeroth?.info ?? 0) : segmentCount,
  );
  if (raw === undefined || segments === undefined) return undefined;
  const names = raw[namesIndex === outOfRange ? (zeroth?.link ?? 0) : namesIndex];
  const texts = names === undefined || names.size > maxTableBytes ? Buffer.alloc(0) : await file.read(names.offset, names.size);
  return { segments, sections: raw.map((section) => ({ ...section, name: textAt(texts, section.nameAt) })) };
};

interface RawSection extends Omit<ElfSection, 'name'> {
  readonly nameAt: number;
  readonly link: number;
  readonly info: number;
}

const rawSections = async (
  file: RandomAccess,
  { is64, isLittle }: Fields,
  at: number,
  bytes: number,
  count: number,
): Promise<readonly RawSection[] | undefined> => {
  const table = await tableOf(file, at, bytes, count, is64 ? 64 : 40);
  return table?.map((row) => {
    const fields = new Fields(row, is64, isLittle);
    return {
      nameAt: fields.int(0),
      type: fields.int(4),
      address: fields.word(is64 ? 16 : 12),
      offset: fields.word(is64 ? 24 : 16),
      size: fields.word(is64 ? 32 : 20),
      link: fields.int(is64 ? 40 : 24),
      info: fields.int(is64 ? 44 : 28),
    };
  });
};

const segmentsOf = async (
  file: RandomAccess,
  { is64, isLittle }: Fields,
  at: number,
  bytes: number,
  count: number,
): Promise<readonly ElfSegment[] | undefined> => {
  if (at === 0 || count === 0) return [];
  const table = await tableOf(file, at, bytes, count, is64 ? 56 : 32);
  return table?.map((row) => {
    const fields = new Fields(row, is64, isLittle);
    return {
      type: fields.int(0),
      flags: fields.int(is64 ? 4 : 24),
      offset: fields.word(is64 ? 8 : 4),
      address: fields.word(is64 ? 16 : 8),
      fileSize: fields.word(is64 ? 32 : 16),
    };
  });
};

const tableOf = async (
  file: RandomAccess,
  at: number,
  bytes: number,
  count: number,
  least: number,
): Promise<readonly Buffer[] | undefined> => {
  if (bytes < least || bytes * count > maxTableBytes) return undefined;
  const table = await file.read(at, bytes * count);
  if (table.length < bytes * count) return undefined;
  return Array.from({ length: count }, (_, index) => table.subarray(index * bytes, (index + 1) * bytes));
};

/** Numbers in the file's own byte order. */
class Fields {
  readonly bytes: Buffer;
  readonly is64: boolean;
  readonly isLittle: boolean;

  constructor(bytes: Buffer, is64: boolean, isLittle: boolean) {
    this.bytes = bytes;
    this.is64 = is64;
    this.isLittle = isLittle;
  }

  half(at: number): number {
    return this.isLittle ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at);
  }

  int(at: number): number {
    return this.isLittle ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at);
  }

  /** An address, an offset or a size; beyond 2^53 it is wrong by a little, and beyond every file in any case. */
  word(at: number): number {
    if (!this.is64) return this.int(at);
    return Number(this.isLittle ? this.bytes.readBigUInt64LE(at) : this.bytes.readBigUInt64BE(at));
  }
}

const textAt = (texts: Buffer, at: number): string => {
  if (at >= texts.length) return '';
  const end = texts.indexOf(0, at);
  return texts.toString('latin1', at, end === -1 ? texts.length : end);
};
