import { gzipSync, zstdCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { find, imageOf, plain, sha256, type StoredLayer } from './layered-image.ts';
import { file, tarOf } from './tar-archive.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line % 977} of ${line}\n`).join('');
const archiveOf = (content: string): Buffer => tarOf([file('before', content), file('x', content.slice(1)), file('after', 'after')]);
const goodOf = (content: string) => ({ kind: 'found', sha256: sha256(content.slice(1)), size: content.length - 1 });

const content = lines(40_000);
const tar = archiveOf(content);
const good = goodOf(content);

const partsOf = (archive: Buffer, count: number): readonly Buffer[] => {
  const length = Math.ceil(archive.length / count);
  return Array.from({ length: count }, (_, index) => archive.subarray(index * length, (index + 1) * length));
};

const skippable = (content_: string, nibble = 0): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x184d2a50 + nibble);
  header.writeUInt32LE(content_.length, 4);
  return Buffer.concat([header, Buffer.from(content_)]);
};

const zstd = (bytes: Buffer, params: Record<number, number> = {}): Buffer => zstdCompressSync(bytes, { params });
const withChecksum = { [constants.ZSTD_c_checksumFlag]: 1 };
const withoutSize = { [constants.ZSTD_c_contentSizeFlag]: 0 };

/** One archive, stored in every way. */
const waysToStore = (archive: Buffer): Readonly<Record<string, Buffer>> => ({
  'not compressed': archive,
  gzip: gzipSync(archive),
  'gzip of several members': Buffer.concat(partsOf(archive, 5).map((part) => gzipSync(part))),
  'gzip of several members, one of them empty': Buffer.concat([gzipSync(archive), gzipSync(Buffer.alloc(0))]),
  'gzip with zeros behind': Buffer.concat([gzipSync(archive), Buffer.alloc(700)]),
  zstd: zstd(archive),
  'zstd, checked and of unknown size': zstd(archive, { ...withChecksum, ...withoutSize }),
  'zstd of several frames': Buffer.concat(
    partsOf(archive, 7).map((part, index) => zstd(part, index % 2 === 0 ? withChecksum : withoutSize)),
  ),
  'zstd of many small frames': Buffer.concat(partsOf(archive, 700).map((part) => zstd(part))),
  'zstd with skippable frames before, between and behind': Buffer.concat([
    skippable('first', 3),
    ...partsOf(archive, 3).flatMap((part) => [zstd(part), skippable('x'.repeat(1000)), skippable('')]),
  ]),
  'zstd with an empty frame': Buffer.concat([zstd(Buffer.alloc(0)), zstd(archive), zstd(Buffer.alloc(0), withChecksum)]),
});

describe('layers: compression, by what the bytes are', () => {
  it.each(Object.entries(waysToStore(tar)))('%s', async (_way, bytes) => {
    expect(await find(imageOf([{ stored: bytes, tar }]), '/x')).toMatchObject(good);
  });

  it.each([
    ['gzip of several members', [1]],
    ['gzip of several members', [3, 1, 7]],
    ['zstd of several frames', [1]],
    ['zstd with skippable frames before, between and behind', [1]],
    ['zstd with skippable frames before, between and behind', [2, 3, 5, 7]],
    ['zstd with an empty frame', [9, 1]],
    ['not compressed', [511, 1, 513]],
  ])('%s, in chunks of %j bytes', async (name, chunks) => {
    const short = lines(100);
    const archive = archiveOf(short);
    const bytes = waysToStore(archive)[name];
    if (bytes === undefined) throw new Error(`no such way: ${name}`);
    expect(await find(imageOf([{ stored: bytes, tar: archive }], { chunks }), '/x')).toMatchObject(goodOf(short));
  });
});

describe('layers: compression that is refused', () => {
  const window = (log: number): Buffer => {
    const frame = Buffer.from(zstd(tar, { ...withoutSize, [constants.ZSTD_c_windowLog]: 20 }));
    frame[5] = (log - 10) << 3; // the window descriptor
    return frame;
  };

  it.each<[string, Buffer, string]>([
    ['a zstd window of 128 MiB', window(27), 'needs 128 MiB of memory to decode'],
    ['a second frame with such a window', Buffer.concat([zstd(tar), window(30)]), 'needs 1 GiB of memory'],
    ['a zstd frame that is cut off', zstd(tar).subarray(0, -3), 'ends within a zstd frame'],
    ['a skippable frame that is cut off', Buffer.concat([zstd(tar), skippable('abc').subarray(0, -1)]), 'ends within a zstd frame'],
    ['half a magic number', Buffer.concat([zstd(tar), Buffer.from([0x28, 0xb5])]), 'ends within a zstd frame'],
    ['something else after the last frame', Buffer.concat([zstd(tar), Buffer.from('garbage')]), 'that is none'],
    ['a zstd dictionary', Buffer.concat([Buffer.from('28b52ffd2107ff', 'hex'), Buffer.alloc(20)]), 'needs a zstd dictionary'],
    ['a block that does not exist', Buffer.concat([Buffer.from('28b52ffd0050070000', 'hex')]), 'a type that does not exist'],
    ['a broken zstd block', Buffer.from('28b52ffd0050150000ffff', 'hex'), 'cannot be decompressed'],
    ['a gzip member that is cut off', gzipSync(tar).subarray(0, -9), 'cannot be decompressed: unexpected end of file'],
    ['a broken gzip member', gzipSync(tar).fill(0xff, 20, 40), 'cannot be decompressed'],
    ['garbage after the last member', Buffer.concat([gzipSync(tar), Buffer.from('garbage')]), 'cannot be decompressed'],
    ['xz', Buffer.from('fd377a585a000004', 'hex'), 'is compressed with xz'],
    ['bzip2', Buffer.from('BZh91AY&SY'), 'is compressed with bzip2'],
    ['neither a tar nor compressed', Buffer.from('<html>not a layer</html>'.repeat(40)), 'is no tar'],
  ])('%s', async (_what, bytes, reason) => {
    expect(await find(imageOf([{ stored: bytes, tar }]), '/x')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining(reason),
    });
  });

  it('a second member with other bytes, though the first alone would be the tar', async () => {
    for (const compress of [gzipSync, zstdCompressSync]) {
      const layer: StoredLayer = { stored: Buffer.concat([compress(tar), compress(tarOf([file('x', 'evil')]))]), tar };
      expect(await find(imageOf([layer]), '/x')).toMatchObject({
        kind: 'unreadable',
        reason: expect.stringContaining("than the image's config says"),
      });
    }
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(64 * 2 ** 20))],
    ['zstd', zstdCompressSync(Buffer.alloc(64 * 2 ** 20))],
  ])('a bomb stops at the limit, which is said: %s', async (_what, bytes) => {
    let unpackedBytes = 0;
    const options = {
      limits: { maxUnpackedBytes: 2 ** 20 },
      listener: { bytes: (_layer: unknown, _stored: number, unpacked: number) => (unpackedBytes += unpacked) },
    };
    const answer = await find(imageOf([{ stored: bytes, tar: Buffer.alloc(64 * 2 ** 20) }]), '/x', options);
    expect(answer).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('unpacks to more than 1 MiB, which is refused') });
    expect(unpackedBytes).toBeLessThan(2 ** 21);
  });

  it('an empty layer is one without files', async () => {
    expect(await find(imageOf([plain(Buffer.alloc(0))]), '/x')).toMatchObject({ kind: 'absent' });
  });
});
