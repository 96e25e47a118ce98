import { describe, expect, it } from 'vitest';
import { find, imageOf, imageOfFiles, plain, sha256 } from './layered-image.ts';
import {
  base256,
  directory,
  endMark,
  entryOf,
  file,
  gnuLong,
  hardLink,
  opaque,
  pax,
  paxRecord,
  symlink,
  tarOf,
  whiteout,
  type TarFile,
} from './tar-archive.ts';

const found = (content: string | Buffer) => ({ kind: 'found', sha256: sha256(content), size: content.length });
const long = `${'directory/'.repeat(30)}file`;

describe('tar: names and sizes', () => {
  it.each<[string, readonly TarFile[], string]>([
    ['a PAX path', [pax({ path: long }), file('short', 'content')], long],
    ['a PAX path in UTF-8', [pax({ path: 'größe/日本' }), file('short', 'content')], 'größe/日本'],
    ['a name in UTF-8', [file(Buffer.from('größe').toString('latin1'), 'content')], 'größe'],
    ['the last of several PAX headers', [pax({ path: 'a' }), pax({ path: 'b' }), file('short', 'content')], 'b'],
    ['an empty PAX path changes nothing', [pax({ path: '' }), file('short', 'content')], 'short'],
    ['a GNU long name', [gnuLong('L', long), file('short', 'content')], long],
    ['a GNU long name before a PAX path', [gnuLong('L', 'gnu'), pax({ path: 'pax' }), file('short', 'content')], 'gnu'],
    ['a ustar prefix', [{ name: 'file', prefix: 'in/front', content: 'content' }], 'in/front/file'],
    [
      'the old GNU format has no prefix',
      [{ name: 'file', format: 'gnu', content: 'content', patch: (block) => block.write('00000000001', 345) }],
      'file',
    ],
    ['a name of 100 bytes', [file('n'.repeat(100), 'content')], 'n'.repeat(100)],
    ['no magic number', [{ name: 'file', format: 'v7', content: 'content' }], 'file'],
    ['a NUL as type', [{ name: 'file', type: '\0', content: 'content' }], 'file'],
    ['type 7', [{ name: 'file', type: '7', content: 'content' }], 'file'],
    ['a size in base 256', [{ name: 'file', size: base256(7n), content: 'content' }], 'file'],
    ['a size with spaces', [{ name: 'file', size: Buffer.from('         7  \0'.slice(0, 12)), content: 'content' }], 'file'],
    ['a PAX size', [pax({ size: '7' }), { name: 'file', size: Buffer.from('00000000000\0'), content: 'content' }], 'file'],
    ['a directory that claims a size', [{ name: 'd', type: '5', size: Buffer.from('00000001000\0') }, file('file', 'content')], 'file'],
    [
      'a link that claims a size',
      [{ name: 'l', type: '2', link: 'x', size: Buffer.from('00000001000\0') }, file('file', 'content')],
      'file',
    ],
    ['a file in a directory with a dot in its name', [file('.hidden/..x/...', 'content')], '.hidden/..x/...'],
    ['a name that goes up and down again', [file('usr/lib/../bin//./x', 'content')], 'usr/bin/x'],
    ['an absolute name that goes above the root', [file('/../x', 'content')], 'x'],
  ])('%s', async (_what, files, path) => {
    expect(await find(imageOfFiles(files), path)).toMatchObject(found('content'));
  });

  it('a PAX link target and a GNU long one', async () => {
    const image = imageOfFiles([file('x', 'x'), pax({ linkpath: 'x' }), symlink('a', 'wrong'), gnuLong('K', '/x'), hardLink('b', 'wrong')]);
    expect(await find(image, '/a')).toMatchObject(found('x'));
    expect(await find(image, '/b')).toMatchObject(found('x'));
  });

  it('extended headers count for the next file only', async () => {
    const image = imageOfFiles([pax({ path: 'renamed' }), file('a', 'a'), file('b', 'b')]);
    expect(await find(image, '/renamed')).toMatchObject(found('a'));
    expect(await find(image, '/b')).toMatchObject(found('b'));
  });

  it('a global PAX header counts for no file, and ends what came before it', async () => {
    const image = imageOfFiles([pax({ path: 'lost' }), pax({ path: 'everywhere', size: '0' }, 'g'), file('x', 'x')]);
    expect(await find(image, '/x')).toMatchObject(found('x'));
    expect(await find(image, '/everywhere')).toMatchObject({ kind: 'absent' });
  });
});

describe('tar: its end', () => {
  it('nothing counts after the end mark', async () => {
    const hidden = Buffer.concat([tarOf([file('x', 'good')]), tarOf([file('x', 'evil'), file('y')])]);
    expect(await find(imageOf([plain(hidden)]), '/x')).toMatchObject(found('good'));
    expect(await find(imageOf([plain(hidden)]), '/y')).toMatchObject({ kind: 'absent' });
  });

  it.each([
    ['none', Buffer.alloc(0)],
    ['half of it', Buffer.alloc(512)],
    ['more than it', Buffer.alloc(10_240)],
  ])('an end mark: %s', async (_what, end) => {
    expect(await find(imageOf([plain(tarOf([file('x', 'x')], end))]), '/x')).toMatchObject(found('x'));
  });

  it('half an end mark and then a file', async () => {
    const tar = Buffer.concat([tarOf([file('x')], Buffer.alloc(512)), entryOf(file('y'))]);
    expect(await find(imageOf([plain(tar)]), '/y')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('half of a tar end mark'),
    });
  });

  it('is cut off within a header or a body', async () => {
    const tar = tarOf([file('x', 'x'.repeat(1000))], Buffer.alloc(0));
    for (const length of [300, 700, 1511]) {
      expect(await find(imageOf([plain(tar.subarray(0, length))]), '/x')).toMatchObject({
        kind: 'unreadable',
        reason: expect.stringContaining('in the middle'),
      });
    }
    expect(await find(imageOf([plain(tar.subarray(0, 1512))]), '/x'), 'only the padding is missing').toMatchObject(found('x'.repeat(1000)));
  });
});

describe('tar: what is refused', () => {
  it.each<[string, readonly TarFile[], string]>([
    ['a name above the root', [file('../x')], 'outside the image ("../x")'],
    ['a PAX name above the root', [pax({ path: 'a/../../x' }), file('y')], 'outside the image'],
    ['a hard link above the root', [hardLink('x', '../../etc/shadow')], 'a hard link out of the image'],
    ['a symbolic link to nothing', [symlink('x', '')], 'a symbolic link to nothing'],
    ['a file in place of the root', [file('.')], 'replaces the root'],
    ['a whiteout of no name', [file('d/.wh.', '')], 'a whiteout of no name'],
    ['a whiteout of the directory above', [file('d/.wh...', '')], 'a whiteout of no name'],
    [
      'a wrong checksum',
      [
        { name: 'x', patch: () => undefined },
        { name: 'y', content: Buffer.alloc(512, 65), size: Buffer.from('00000000000\0') },
      ],
      'wrong checksum',
    ],
    ['a negative size', [{ name: 'x', size: Buffer.from(base256(0n).fill(0xff)) }], 'negative number'],
    ['a size beyond all files', [{ name: 'x', size: base256(2n ** 60n) }], 'beyond all files'],
    ['a size that is none', [{ name: 'x', size: Buffer.from('0000000000z\0') }], 'a number that is none'],
    ['a PAX size that is none', [pax({ size: '-5' }), file('x')], 'a number that is none'],
    ['a PAX record of the wrong length', [{ name: 'p', type: 'x', content: '99 path=x\n' }, file('x')], 'that is broken'],
    ['a PAX record without its end', [{ name: 'p', type: 'x', content: '10 path=xy' }, file('x')], 'that is broken'],
    ['a NUL in a PAX path', [{ name: 'p', type: 'x', content: paxRecord('path', 'x\0y') }, file('x')], 'that is broken'],
    [
      'a PAX header of 2 MiB',
      [{ name: 'p', type: 'x', content: paxRecord('comment', 'c'.repeat(2 ** 21)) }, file('x')],
      'more than 1 MiB is refused',
    ],
    ['an unknown type', [{ name: 'x', type: 'V' }], 'a tar entry of type "V"'],
    ['an entry below a file', [file('d'), file('d/x')], 'below something that is no directory'],
    ['an entry below a loop of links', [symlink('a', 'b'), symlink('b', 'a'), file('a/x')], 'below a loop of symbolic links'],
  ])('%s', async (_what, files, reason) => {
    expect(await find(imageOfFiles(files), '/d/x')).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining(reason) });
  });

  it('more symbolic links than fit in memory', async () => {
    const links = Array.from({ length: 100 }, (_, index) => symlink(`l${index}`, 'target'));
    const answer = await find(imageOfFiles(links), '/x', { limits: { maxLinkBytes: 500 } });
    expect(answer).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('so many symbolic links') });
  });

  it('leftovers of AUFS are passed over', async () => {
    expect(await find(imageOfFiles([file('.wh..wh.aufs', ''), directory('.wh..wh.plnk'), file('x', 'x')]), '/x')).toMatchObject(found('x'));
  });

  it('names that remove others are no files of a container', async () => {
    expect(await find(imageOfFiles([whiteout('x'), opaque('d')]), '/.wh.x')).toMatchObject({ kind: 'absent' });
  });
});

describe('tar: sparse files', () => {
  const pieces = [Buffer.from('begin'), Buffer.from('middle')];
  const offsets = [3, 2000];
  const size = 5000;
  const whole = Buffer.alloc(size);
  pieces.forEach((piece, index) => piece.copy(whole, offsets[index]));
  const stored = Buffer.concat(pieces);
  const numbers = pieces.flatMap((piece, index) => [offsets[index] ?? 0, piece.length]);
  const map = Buffer.from(`${pieces.length}\n${numbers.join('\n')}\n`);
  const paddedMap = Buffer.concat([map, Buffer.alloc(512 - map.length)]);

  it('PAX 0.0: two records a piece', async () => {
    const records = [
      ['GNU.sparse.size', `${size}`],
      ['GNU.sparse.numblocks', '2'],
      ...pieces.flatMap((piece, index) => [
        ['GNU.sparse.offset', `${offsets[index]}`],
        ['GNU.sparse.numbytes', `${piece.length}`],
      ]),
    ];
    const header: TarFile = { name: 'p', type: 'x', content: records.map(([key = '', value = '']) => paxRecord(key, value)).join('') };
    expect(await find(imageOfFiles([header, file('x', stored)]), '/x')).toMatchObject(found(whole));
  });

  it('PAX 0.1: a map in the header, another name', async () => {
    const header = pax({
      'GNU.sparse.size': `${size}`,
      'GNU.sparse.numblocks': '2',
      'GNU.sparse.name': 'real',
      'GNU.sparse.map': numbers.join(','),
    });
    expect(await find(imageOfFiles([header, file('GNUSparseFile.1/x', stored)]), '/real')).toMatchObject(found(whole));
  });

  it('PAX 1.0: a map before the content', async () => {
    const header = pax({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.realsize': `${size}`, 'GNU.sparse.name': 'real' });
    const image = imageOf([plain(tarOf([header, file('GNUSparseFile.1/x', Buffer.concat([paddedMap, stored])), file('next', 'next')]))], {
      chunks: [100],
    });
    expect(await find(image, '/real')).toMatchObject(found(whole));
    expect(await find(image, '/next')).toMatchObject(found('next'));
  });

  it('the old GNU format', async () => {
    const octal = (value: number): string => value.toString(8).padStart(11, '0');
    const sparse: TarFile = {
      name: 'x',
      type: 'S',
      format: 'gnu',
      content: stored,
      patch(block) {
        numbers.forEach((value, index) => block.write(octal(value), 386 + index * 12));
        block.write(octal(size), 483);
      },
    };
    expect(await find(imageOfFiles([sparse, file('next', 'next')]), '/x')).toMatchObject(found(whole));
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a map beyond the file', { 'GNU.sparse.size': '10', 'GNU.sparse.numblocks': '1', 'GNU.sparse.map': '8,5' }, 'map is broken'],
    ['a map out of order', { 'GNU.sparse.size': '100', 'GNU.sparse.numblocks': '2', 'GNU.sparse.map': '50,2,10,3' }, 'map is broken'],
    ['a map of more than is there', { 'GNU.sparse.size': '100', 'GNU.sparse.numblocks': '1', 'GNU.sparse.map': '0,6' }, 'map is broken'],
    ['a map with another count', { 'GNU.sparse.size': '100', 'GNU.sparse.numblocks': '7', 'GNU.sparse.map': '0,5' }, 'map is broken'],
    [
      'a file larger than all layers',
      { 'GNU.sparse.size': `${2 ** 50}`, 'GNU.sparse.numblocks': '1', 'GNU.sparse.map': '0,5' },
      'more than 64 GiB is refused',
    ],
  ])('%s', async (_what, records, reason) => {
    expect(await find(imageOfFiles([pax(records), file('x', 'begin')]), '/x')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining(reason),
    });
  });

  it('a map of a million pieces is refused, and soon', async () => {
    const header = pax({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.realsize': '10' });
    const lines = Buffer.from(`1000000\n${'0\n'.repeat(2 ** 20)}`);
    expect(await find(imageOfFiles([header, file('x', lines)]), '/x')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('larger than 1 MiB'),
    });
  });

  it('the end mark is read as such right after a sparse file', async () => {
    const header = pax({
      'GNU.sparse.size': '0',
      'GNU.sparse.numblocks': '0',
      'GNU.sparse.map': '',
      'GNU.sparse.major': '0',
      'GNU.sparse.minor': '1',
    });
    expect(await find(imageOf([plain(tarOf([header, file('x', '')], endMark))]), '/x')).toMatchObject(found(''));
  });
});
