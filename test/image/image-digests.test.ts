import { describe, expect, it } from 'vitest';
import { sameImage } from '../../src/image/image-digests.ts';

const digests = { index: 'sha256:1', manifest: 'sha256:2', config: 'sha256:3' };

describe('sameImage', () => {
  it.each([
    ['sha256:1', { kind: 'same', by: 'index' }],
    ['sha256:2', { kind: 'same', by: 'manifest' }],
    ['sha256:3', { kind: 'same', by: 'config' }],
    ['sha256:4', { kind: 'other' }],
  ])('%s', (reported, expected) => {
    expect(sameImage(digests, reported)).toEqual(expected);
  });

  it('takes another manifest with the same config for the same image, as CRI-O reports it', () => {
    expect(sameImage(digests, { manifest: 'sha256:9', config: 'sha256:3' })).toEqual({ kind: 'same', by: 'config' });
  });

  it('does not take another platform of the same index for it', () => {
    expect(sameImage(digests, { index: 'sha256:1', manifest: 'sha256:8', config: 'sha256:7' })).toEqual({ kind: 'other' });
  });

  it('does not match what is absent on both sides', () => {
    expect(sameImage({ manifest: 'sha256:2', config: 'sha256:3' }, 'sha256:1')).toEqual({ kind: 'other' });
  });
});
