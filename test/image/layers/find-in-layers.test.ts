import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findInLayers } from '../../../src/image/layers/find-in-layers.ts';
import { find, imageOf, imageOfFiles, plain, sha256 } from './layered-image.ts';
import { directory, file, hardLink, opaque, symlink, tarOf, whiteout } from './tar-archive.ts';

const found = (content: string, layer: number) => ({
  kind: 'found',
  sha256: sha256(content),
  size: content.length,
  layer: expect.objectContaining({ number: layer }),
});

describe('layers: which file counts', () => {
  it('takes the topmost layer that has it', async () => {
    const image = imageOfFiles([file('usr/bin/x', 'old')], [directory('usr/'), file('usr/bin/x', 'new')], [file('usr/bin/y')]);
    expect(await find(image, '/usr/bin/x')).toMatchObject(found('new', 2));
  });

  it('reads no layer below the one that decides', async () => {
    const image = imageOfFiles([file('x', 'old')], [file('x', 'new')]);
    await find(image, '/x');
    expect(image.opened).toEqual([image.image.layers[1]?.digest]);
  });

  it('takes the last of several entries of one name', async () => {
    expect(await find(imageOfFiles([file('x', 'first'), file('./x', 'second'), file('/x', 'third')]), 'x')).toMatchObject(
      found('third', 1),
    );
  });

  it('counts no name that only begins alike', async () => {
    const image = imageOfFiles([file('usr/bin/xy'), file('usr/bin/x/y'), file('usr/b'), file('usr/bin2/x')]);
    expect(await find(image, '/usr/bin/x/yz')).toMatchObject({ kind: 'absent' });
    expect(await find(image, '/usr/bin')).toMatchObject({ kind: 'not-a-file', what: 'directory' });
  });

  it.each([
    ['the file', whiteout('usr/bin/x')],
    ['a directory above it', whiteout('usr')],
    ['what is in its directory', opaque('usr/bin')],
    ['what is in a directory above it', opaque('usr')],
    ['everything', opaque('')],
  ])('does not see what a higher layer removed: %s', async (_what, removal) => {
    expect(await find(imageOfFiles([file('usr/bin/x')], [removal]), '/usr/bin/x')).toMatchObject({ kind: 'absent' });
  });

  it.each([
    ['another file', whiteout('usr/bin/y')],
    ['what is in another directory', opaque('usr/lib')],
    ['a name that ours begins with', whiteout('usr/bi')],
  ])('still sees what is there after the removal of %s', async (_what, removal) => {
    expect(await find(imageOfFiles([file('usr/bin/x', 'x')], [removal]), '/usr/bin/x')).toMatchObject(found('x', 1));
  });

  it.each([
    ['before', [whiteout('x'), file('x', 'new')]],
    ['in its directory, after', [file('d/x', 'new'), opaque('d')]],
  ])('sees a file of the layer that also removes it from lower ones: the removal comes %s', async (_where, files) => {
    const path = files.some(({ name }) => name.startsWith('d/')) ? '/d/x' : '/x';
    expect(await find(imageOfFiles([file('x', 'old'), file('d/x', 'old')], files), path)).toMatchObject(found('new', 2));
  });

  it('does not guess what a runtime makes of a file and then its removal in one layer', async () => {
    const image = imageOfFiles([file('x', 'old')], [file('x', 'new'), whiteout('x')]);
    expect(await find(image, '/x')).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('and then its removal') });
  });

  it('sees nothing below a file that replaced a directory, and not what the directory once held', async () => {
    const image = imageOfFiles([file('d/x', 'old')], [file('d', 'a file now')]);
    expect(await find(image, '/d/x')).toMatchObject({ kind: 'absent' });
    const within = imageOfFiles([file('d/x', 'old'), file('d', 'a file now')]);
    expect(await find(within, '/d/x')).toMatchObject({ kind: 'absent' });
    expect(await find(within, '/d')).toMatchObject(found('a file now', 1));
  });

  it('a directory over a file hides what was below that', async () => {
    const image = imageOfFiles([file('d/x', 'lowest')], [file('d', 'a file')], [directory('d')]);
    expect(await find(image, '/d/x')).toMatchObject({ kind: 'absent' });
  });
});

describe('layers: links', () => {
  it.each([
    ['relative', symlink('usr/bin/x', 'x-1.0'), '/usr/bin/x'],
    ['absolute', symlink('x', '/usr/bin/x-1.0'), '/x'],
    ['upwards', symlink('usr/lib/x', '../bin/x-1.0'), '/usr/lib/x'],
    ['upwards beyond the root', symlink('x', '../../usr/bin/x-1.0'), '/x'],
    ['of a directory', symlink('bin', 'usr/bin'), '/bin/x-1.0'],
    ['to the root', symlink('root', '/'), '/root/usr/bin/x-1.0'],
  ])('symbolic, %s, into another layer', async (_what, link, path) => {
    const inLower = imageOfFiles([file('usr/bin/x-1.0', 'one')], [link]);
    expect(await find(inLower, path)).toMatchObject({
      ...found('one', 1),
      realPath: '/usr/bin/x-1.0',
      via: [{ kind: 'symbolic', layer: { number: 2 } }],
    });
    const inHigher = imageOfFiles([link], [file('usr/bin/x-1.0', 'one')]);
    expect(await find(inHigher, path)).toMatchObject({ ...found('one', 2), via: [{ kind: 'symbolic', layer: { number: 1 } }] });
  });

  it('`..` behind a symbolic link is the parent of where it leads', async () => {
    const image = imageOfFiles([file('a/b/x', 'wrong'), file('c/x', 'right'), symlink('a/d', '/c/e'), directory('c/e')]);
    expect(await find(image, '/a/d/../x')).toMatchObject(found('right', 1));
  });

  it('`..` needs the directory to be there', async () => {
    expect(await find(imageOfFiles([file('x')]), '/missing/../x')).toMatchObject({ kind: 'absent' });
  });

  it('a loop leads nowhere', async () => {
    const image = imageOfFiles([symlink('a', 'b')], [symlink('b', 'a')]);
    expect(await find(image, '/a')).toMatchObject({ kind: 'absent', reason: expect.stringContaining('links follow each other') });
  });

  it('a link that leads nowhere is told with the link', async () => {
    expect(await find(imageOfFiles([symlink('x', '/mnt/models/x')]), '/x')).toMatchObject({
      kind: 'absent',
      via: [{ path: '/x', target: '/mnt/models/x' }],
    });
  });

  it('a higher file replaces a lower link', async () => {
    expect(await find(imageOfFiles([symlink('x', 'y'), file('y', 'lower')], [file('x', 'higher')]), '/x')).toMatchObject(
      found('higher', 2),
    );
  });

  it('a directory with an entry of its own replaces a lower link; without one, that depends on the runtime', async () => {
    const lower = [symlink('bin', 'usr/bin'), file('usr/bin/x', 'lower')];
    expect(await find(imageOfFiles(lower, [directory('bin'), file('bin/y')]), '/bin/x')).toMatchObject({ kind: 'absent' });
    expect(await find(imageOfFiles(lower, [file('bin/y')]), '/bin/x')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('depends on the runtime'),
    });
    expect(await find(imageOfFiles(lower, [file('bin/y', 'y')]), '/bin/y')).toMatchObject(found('y', 2));
  });

  it('an entry below a symbolic link of its own layer lands where that points', async () => {
    const image = imageOfFiles([file('real/x', 'good'), symlink('alias', 'real'), file('alias/x', 'bad')]);
    expect(await find(image, '/real/x')).toMatchObject(found('bad', 1));
    expect(await find(image, '/alias/x')).toMatchObject(found('bad', 1));
  });

  it('hard, also of a hard link, and to what the name was when the link was made', async () => {
    const image = imageOfFiles([file('a', 'one'), hardLink('b', 'a'), hardLink('c', '/b'), file('a', 'two')]);
    expect(await find(image, '/b')).toMatchObject(found('one', 1));
    expect(await find(image, '/c')).toMatchObject({
      ...found('one', 1),
      via: [
        { path: '/c', target: '/b' },
        { path: '/b', target: '/a' },
      ],
    });
    expect(await find(image, '/a')).toMatchObject(found('two', 1));
  });

  it('hard, and the name is another file in a higher layer', async () => {
    expect(await find(imageOfFiles([file('a', 'one'), hardLink('b', 'a')], [file('a', 'two')]), '/b')).toMatchObject(found('one', 1));
  });

  it('hard, to a symbolic link: that one, followed from where the hard link is', async () => {
    const image = imageOfFiles([file('a/x', 'in a'), file('b/x', 'in b'), symlink('a/l', 'x'), hardLink('b/l', 'a/l')]);
    expect(await find(image, '/b/l')).toMatchObject(found('in b', 1));
  });

  it('hard, to a name that its layer does not have: runtimes refuse that', async () => {
    const image = imageOfFiles([file('a')], [hardLink('b', 'a')]);
    expect(await find(image, '/b')).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('which it does not hold') });
  });
});

describe('layers: nothing is believed before the end', () => {
  const target = tarOf([file('x', 'good'), file('filler', 'f'.repeat(300_000))]);

  it.each([
    ['one byte is another', (stored: Buffer) => Buffer.from(stored).fill(1, stored.length - 1)],
    ['the end is missing', (stored: Buffer) => stored.subarray(0, -512)],
    ['there is more', (stored: Buffer) => Buffer.concat([stored, Buffer.alloc(512)])],
    ['the layer is gone', () => undefined],
  ])('no answer where %s', async (_what, tampered) => {
    const image = imageOf([plain(target)], { tampered });
    expect(await find(image, '/x')).toMatchObject({ kind: 'unreadable', nextSteps: [expect.stringContaining('sha256sum /x')] });
  });

  it('no "not there" where a lower layer cannot be read, even if it could not matter any more', async () => {
    const layers = [plain(tarOf([file('y')])), plain(tarOf([whiteout('x')]))];
    const tampered = (stored: Buffer, layer: number) => (layer === 0 ? stored.subarray(512) : stored);
    expect(await find(imageOf(layers, { tampered }), '/x')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('layer 1 of 2'),
    });
    expect(await find(imageOf(layers), '/x')).toMatchObject({ kind: 'absent' });
  });

  it('no answer where the tar is not what the config says, whatever its digest', async () => {
    const other = { stored: gzipSync(target), tar: tarOf([file('x', 'other')]) };
    expect(await find(imageOf([other]), '/x')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining("than the image's config says"),
    });
  });

  it('no answer where manifest and config count other layers', async () => {
    const { source, image } = imageOf([plain(target)]);
    expect(await findInLayers(source, { ...image, diffIds: [] }, ['/x'])).toMatchObject([{ kind: 'unreadable' }]);
  });
});

describe('layers: what is read', () => {
  const layers = [
    [file('usr/bin/python3.11', 'python'), symlink('usr/bin/python', 'python3.11'), directory('usr/bin')],
    [file('usr/lib/y'), directory('usr/bin')],
    [file('app/z', 'z')],
  ];

  it('each layer once for several paths', async () => {
    const image = imageOfFiles(...layers);
    const answers = await findInLayers(image.source, image.image, ['/app/z', '/usr/lib/y', '/missing']);
    expect(answers.map(({ kind }) => kind)).toEqual(['found', 'found', 'absent']);
    expect(image.opened).toHaveLength(3);
  });

  it('again only the layers that have something on the path that a link leads to', async () => {
    const image = imageOfFiles(...layers);
    expect(await find(image, '/usr/bin/python')).toMatchObject(found('python', 1));
    const [lowest] = image.image.layers;
    expect(image.opened).toHaveLength(4);
    expect(image.opened.at(-1)).toBe(lowest?.digest);
  });

  it('a listener counts every byte, as stored and unpacked', async () => {
    const tar = tarOf([file('x', 'x'.repeat(200_000))]);
    const layer = { stored: zstdCompressSync(tar), tar };
    const seen = { stored: 0, unpacked: 0 };
    const listener = {
      bytes: (_layer: unknown, stored: number, unpacked: number) => {
        seen.stored += stored;
        seen.unpacked += unpacked;
      },
    };
    await find(imageOf([layer]), '/x', { listener });
    expect(seen).toEqual({ stored: layer.stored.length, unpacked: tar.length });
  });
});
