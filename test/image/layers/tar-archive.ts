/** Writes tar archives byte by byte, sound and unsound ones, so that no library decides what can be tested. */

export interface TarFile {
  readonly name: string;
  /** `0` file, `1` hard link, `2` symbolic link, `5` directory. */
  readonly type?: string;
  readonly link?: string;
  readonly content?: Uint8Array | string;
  /** Into the header instead of the content's length. */
  readonly size?: Buffer;
  readonly format?: 'ustar' | 'gnu' | 'v7';
  readonly prefix?: string;
  /** What else to write into the header block, before the checksum. */
  readonly patch?: (block: Buffer) => void;
}

export const file = (name: string, content: Uint8Array | string = name): TarFile => ({ name, content });
export const directory = (name: string): TarFile => ({ name, type: '5' });
export const symlink = (name: string, link: string): TarFile => ({ name, type: '2', link });
export const hardLink = (name: string, link: string): TarFile => ({ name, type: '1', link });
export const whiteout = (name: string): TarFile =>
  file(
    name.replace(/[^/]*$/, (base) => `.wh.${base}`),
    '',
  );
export const opaque = (name: string): TarFile => file(name === '' ? '.wh..wh..opq' : `${name}/.wh..wh..opq`, '');

export const endMark = Buffer.alloc(1024);

export const tarOf = (files: readonly TarFile[], end: Buffer = endMark): Buffer => Buffer.concat([...files.map(entryOf), end]);

export const entryOf = (entry: TarFile): Buffer => {
  const content = Buffer.from(entry.content ?? '');
  return Buffer.concat([headerOf(entry, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
};

const headerOf = (entry: TarFile, contentBytes: number): Buffer => {
  const block = Buffer.alloc(512);
  block.write(entry.name, 0, 100, 'latin1');
  block.write('0000755\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  (entry.size ?? Buffer.from(`${contentBytes.toString(8).padStart(11, '0')}\0`)).copy(block, 124);
  block.write('00000000000\0', 136);
  block.write(entry.type ?? '0', 156, 1, 'latin1');
  block.write(entry.link ?? '', 157, 100, 'latin1');
  if (entry.format === 'gnu') block.write('ustar  \0', 257);
  else if (entry.format !== 'v7') block.write('ustar\x0000', 257);
  block.write(entry.prefix ?? '', 345, 155, 'latin1');
  entry.patch?.(block);
  block.write('        ', 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
};

/** `18 path=usr/bin/x\n`: the length counts itself. */
export const paxRecord = (key: string, value: string): string => {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length++;
  return `${length} ${key}=${value}\n`;
};

export const pax = (records: Readonly<Record<string, string>>, type: 'x' | 'g' = 'x'): TarFile => ({
  name: 'PaxHeaders/x',
  type,
  content: Object.entries(records)
    .map(([key, value]) => paxRecord(key, value))
    .join(''),
});

export const gnuLong = (type: 'L' | 'K', name: string): TarFile => ({ name: '././@LongLink', type, format: 'gnu', content: `${name}\0` });

/** Base 256, as GNU writes sizes beyond 8 GiB. */
export const base256 = (size: bigint): Buffer => {
  const field = Buffer.alloc(12);
  field.writeBigUInt64BE(size, 4);
  field[0] = 0x80;
  return field;
};
