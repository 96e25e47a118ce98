import { describe, expect, it } from 'vitest';
import { parseImageId } from '../../src/image/image-id.ts';

const hex = 'ab'.repeat(32);
const digest = `sha256:${hex}`;

describe('parseImageId', () => {
  it.each([
    ['containerd, by digest', `registry.example:5000/llm/candle@${digest}`, { digest, repository: 'registry.example:5000/llm/candle' }],
    ['containerd, imported', digest, { digest }],
    [
      'cri-dockerd, pulled',
      `docker-pullable://registry.example/llm/candle@${digest}`,
      { digest, repository: 'registry.example/llm/candle' },
    ],
    ['cri-dockerd, built there', `docker://${digest}`, { digest }],
    ['CRI-O, the id of the image', hex, { digest }],
  ])('%s', (_, text, imageId) => {
    expect(parseImageId(text)).toEqual({ kind: 'imageId', imageId });
  });

  it('tells an image that was not pulled', () => {
    expect([parseImageId(undefined), parseImageId('')]).toEqual([{ kind: 'notPulled' }, { kind: 'notPulled' }]);
  });

  it.each(['registry.example/llm/candle:sm70', `${digest}0`, `${digest} `, 'sha256:abc', `x@${digest.toUpperCase()}`])(
    'does not take "%s" for a digest',
    (text) => {
      expect(parseImageId(text)).toEqual({ kind: 'unreadable', text });
    },
  );
});
