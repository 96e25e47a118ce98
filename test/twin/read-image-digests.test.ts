import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { imageIdsFrom } from '../../src/twin/controllers/pod-status.ts';
import { readImageDigests } from '../../src/twin/read-image-digests.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'poimen-images-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (index: string): void => {
  mkdirSync(join(folder, 'images'));
  writeFileSync(join(folder, 'images/index.json'), index);
};

describe('the images beside the manifests of a twin', () => {
  it('are what its pods report: the example', () => {
    const example = resolve(import.meta.dirname, '../../examples/llm-serving');
    const imageIdOf = imageIdsFrom(readImageDigests(example));
    const reported = imageIdOf('registry.example/llm/candle-vllm:sm70');
    const [repository, digest = ''] = reported.split('@');
    expect(repository).toBe('registry.example/llm/candle-vllm');
    const index = JSON.parse(readFileSync(join(example, 'images/blobs', digest.replace(':', '/')), 'utf8')) as { manifests: unknown[] };
    expect(index.manifests).toHaveLength(2); // the image, and what attests to it
  });

  it('may be missing: then digests are made from names', () => {
    const imageIdOf = imageIdsFrom(readImageDigests(folder));
    expect(imageIdOf('registry.example/server:1')).toMatch(/^registry\.example\/server@sha256:[0-9a-f]{64}$/);
    expect(imageIdOf('registry.example/server:1')).not.toBe(imageIdOf('registry.example/server:2'));
  });

  it('are found by their full name', () => {
    const digest = `sha256:${'1'.repeat(64)}`;
    write(
      JSON.stringify({ manifests: [{ digest, annotations: { 'org.opencontainers.image.ref.name': 'docker.io/library/busybox:latest' } }] }),
    );
    expect(imageIdsFrom(readImageDigests(folder))('busybox')).toBe(`busybox@${digest}`);
  });

  it.each([
    ['{', /JSON/],
    ['{"manifests": {}}', /no list "manifests"/],
  ])('unusable: %s', (index, detail) => {
    write(index);
    expect(() => readImageDigests(folder)).toThrow(
      expect.objectContaining({
        outcome: 'usage',
        code: 'ImagesUnusable',
        message: expect.stringContaining('images/index.json'),
        detail: expect.stringMatching(detail),
      }),
    );
  });
});
