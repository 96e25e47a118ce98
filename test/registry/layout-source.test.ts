import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Descriptor } from '../../src/registry/image-source.ts';
import { LayoutSource } from '../../src/registry/layout/layout-source.ts';
import { openImageSource } from '../../src/registry/open-image-source.ts';
import { parseImageReference } from '../../src/registry/reference.ts';
import { sha256 } from '../registry-server/content.ts';
import { types } from '../registry-server/images.ts';
import { temporaryFolder } from '../twin/temporary-folder.ts';
import { testClient } from './client.ts';

const refName = 'org.opencontainers.image.ref.name';

/** A layout that a test fills. */
class TestLayout {
  readonly directory = temporaryFolder();
  readonly source = new LayoutSource(this.directory, '/');
  private readonly entries: object[] = [];

  constructor() {
    mkdirSync(join(this.directory, 'blobs/sha256'), { recursive: true });
    writeFileSync(join(this.directory, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    this.writeIndex();
  }

  blob(content: string): { readonly digest: string; readonly size: number } {
    const digest = sha256(Buffer.from(content));
    writeFileSync(join(this.directory, 'blobs/sha256', digest.slice(7)), content);
    return { digest, size: Buffer.byteLength(content) };
  }

  document(document: object): Descriptor {
    const mediaType = 'mediaType' in document && typeof document.mediaType === 'string' ? document.mediaType : types.manifest;
    return { mediaType, ...this.blob(JSON.stringify(document)) };
  }

  manifest(more: object = {}): Descriptor {
    const config = { mediaType: types.config, ...this.blob('{}') };
    return this.document({ schemaVersion: 2, mediaType: types.manifest, config, layers: [], ...more });
  }

  index(...manifests: readonly Descriptor[]): Descriptor {
    return this.document({ schemaVersion: 2, mediaType: types.index, manifests });
  }

  list(descriptor: Descriptor, tag?: string): void {
    this.entries.push({ ...descriptor, ...(tag === undefined ? {} : { annotations: { [refName]: tag } }) });
    this.writeIndex();
  }

  private writeIndex(): void {
    writeFileSync(join(this.directory, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: this.entries }));
  }
}

describe('an image in a layout', () => {
  it('is found by its tag and by its digest, with all that it leads to', async () => {
    const layout = new TestLayout();
    const manifest = layout.manifest();
    const index = layout.index(manifest);
    layout.list(index, 'sm70');
    layout.list(layout.index(), 'other');
    expect(await layout.source.getManifest('sm70')).toMatchObject({ digest: index.digest, mediaType: types.index });
    expect(await layout.source.getManifest(manifest.digest)).toMatchObject({ digest: manifest.digest, mediaType: types.manifest });
    const blob = layout.blob('content');
    expect(String(await layout.source.getBlob(blob, 100))).toBe('content');
    const stream = await layout.source.openBlob(blob);
    expect(stream === undefined ? undefined : String(await buffer(stream))).toBe('content');
  });

  it('is absent where nothing has that tag or digest', async () => {
    const { source } = new TestLayout();
    const absent = { digest: sha256(Buffer.from('x')), size: 1 };
    expect([await source.getManifest('sm70'), await source.getManifest(absent.digest)]).toEqual([undefined, undefined]);
    expect([await source.getBlob(absent, 10), await source.openBlob(absent)]).toEqual([undefined, undefined]);
  });

  it('needs no tag where it is the only one', async () => {
    const layout = new TestLayout();
    const index = layout.index(layout.manifest());
    layout.list(index, 'sm70');
    const reference = parseImageReference(`oci:${layout.directory}`);
    expect(await openImageSource(reference, testClient([]), '/')).toMatchObject({ reference: index.digest });
    layout.list(layout.index(), 'other');
    await expect(openImageSource(reference, testClient([]), '/')).rejects.toMatchObject({
      code: 'TagMissing',
      exitCode: 2,
      detail: 'tags: sm70, other',
    });
  });

  it('by older tools says nowhere what it is, and is known by its shape', async () => {
    const layout = new TestLayout();
    const { digest } = layout.document({ schemaVersion: 2, config: { mediaType: types.config, ...layout.blob('{}') }, layers: [] });
    expect(await layout.source.getManifest(digest)).toMatchObject({ mediaType: types.manifest });
  });

  it.each([
    ['manifest', (source: LayoutSource, { digest }: Descriptor) => source.getManifest(digest)],
    ['blob', (source: LayoutSource, blob: Descriptor) => source.getBlob(blob, 1_000_000)],
    ['stream', async (source: LayoutSource, blob: Descriptor) => buffer((await source.openBlob(blob)) ?? Readable.from([]))],
  ])('is never believed where a %s was changed', async (_, read) => {
    const layout = new TestLayout();
    const manifest = layout.manifest();
    const path = join(layout.directory, 'blobs/sha256', manifest.digest.slice(7));
    writeFileSync(path, JSON.stringify({ schemaVersion: 2 }).padEnd(manifest.size));
    await expect(read(layout.source, manifest)).rejects.toMatchObject({ code: 'DigestMismatch' });
    appendFileSync(path, 'more');
    await expect(read(layout.source, manifest)).rejects.toMatchObject({ code: 'DigestMismatch' });
  });

  it('that its tag leads to, and that is not there, is an error', async () => {
    const layout = new TestLayout();
    layout.list({ mediaType: types.index, digest: sha256(Buffer.from('gone')), size: 4 }, 'sm70');
    await expect(layout.source.getManifest('sm70')).rejects.toMatchObject({ code: 'LayoutInvalid' });
  });

  it('that two share a tag with is an error', async () => {
    const layout = new TestLayout();
    layout.list(layout.index(), 'sm70');
    layout.list(layout.manifest(), 'sm70');
    await expect(layout.source.getManifest('sm70')).rejects.toMatchObject({
      code: 'LayoutInvalid',
      detail: 'the tag sm70 stands for 2 images in its index.json',
    });
  });
});

describe('referrers in a layout', () => {
  it('are found in its index.json, in indexes below, and in the list under their tag', async () => {
    const layout = new TestLayout();
    const index = layout.index(layout.manifest());
    const subject = { mediaType: types.index, digest: index.digest, size: index.size };
    const top = layout.manifest({ artifactType: 'a/top', subject, annotations: { a: 'b' } });
    const nested = layout.manifest({ artifactType: 'a/nested', subject });
    const tagged = layout.manifest({ artifactType: 'a/tagged' });
    layout.list(index, 'sm70');
    layout.list(top);
    layout.list(layout.index(nested));
    layout.list(layout.manifest({ artifactType: 'a/of-another', subject: tagged }));
    layout.list(layout.index({ ...tagged, artifactType: 'a/tagged' }), index.digest.replace(':', '-'));
    const found = await layout.source.listReferrers(index.digest);
    expect(found.map(({ digest, artifactType }) => [digest, artifactType])).toEqual([
      [top.digest, 'a/top'],
      [nested.digest, 'a/nested'],
      [tagged.digest, 'a/tagged'],
    ]);
    expect(found[0]?.annotations).toEqual({ a: 'b' });
  });

  it('are an error where indexes are nested without end, or what they lead to was changed', async () => {
    const layout = new TestLayout();
    let deep = layout.index(layout.manifest());
    for (let depth = 0; depth < 6; depth++) deep = layout.index(deep);
    layout.list(deep);
    await expect(layout.source.listReferrers(deep.digest)).rejects.toMatchObject({
      code: 'LayoutInvalid',
      detail: expect.stringContaining('nested more than 4 deep'),
    });
    const other = new TestLayout();
    const manifest = other.manifest();
    other.list(manifest);
    writeFileSync(join(other.directory, 'blobs/sha256', manifest.digest.slice(7)), '{}');
    await expect(other.source.listReferrers(manifest.digest)).rejects.toMatchObject({ code: 'DigestMismatch' });
  });

  it('may lead to platforms that are not in it', async () => {
    const layout = new TestLayout();
    const index = layout.index({ mediaType: types.manifest, digest: sha256(Buffer.from('arm64')), size: 5 });
    layout.list(index, 'sm70');
    expect(await layout.source.listReferrers(index.digest)).toEqual([]);
  });
});

describe('a folder that is no layout', () => {
  it.each([
    ['that is not there', 'rm', 'there is no /'],
    ['of another version', '{"imageLayoutVersion":"2.0.0"}', 'its oci-layout names no version 1'],
    ['whose marker is no JSON', '{', 'it is not JSON'],
    ['whose marker is no object', '[]', 'it is no JSON object'],
  ])('%s is an error, never an image that is not there', async (_, marker, detail) => {
    const layout = new TestLayout();
    const path = join(layout.directory, 'oci-layout');
    if (marker === 'rm') execFileSync('rm', [path]);
    else writeFileSync(path, marker);
    await expect(layout.source.getManifest('sm70')).rejects.toMatchObject({
      code: 'LayoutInvalid',
      exitCode: 3,
      detail: expect.stringContaining(detail),
    });
  });

  it('with a pipe where a file should be is not waited for', async () => {
    const layout = new TestLayout();
    const digest = sha256(Buffer.from('x'));
    execFileSync('mkfifo', [join(layout.directory, 'blobs/sha256', digest.slice(7))]);
    await expect(layout.source.getManifest(digest)).rejects.toMatchObject({ code: 'LayoutInvalid', detail: 'it is no file' });
  });

  it('with digests that lead out of it is not followed', async () => {
    const layout = new TestLayout();
    await expect(layout.source.getBlob({ digest: 'sha256:../../oci-layout', size: 30 }, 100)).rejects.toMatchObject({
      code: 'LayoutInvalid',
    });
    writeFileSync(
      join(layout.directory, 'index.json'),
      JSON.stringify({
        manifests: [{ mediaType: types.index, digest: 'sha256:../../oci-layout', size: 30, annotations: { [refName]: 'sm70' } }],
      }),
    );
    expect(await layout.source.getManifest('sm70')).toBeUndefined();
  });
});
