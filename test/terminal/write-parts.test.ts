import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { writeParts } from '../../src/terminal/write-parts.ts';

const half = 'x'.repeat(40_000);

/** Parts without end, and how many were taken. */
const endless = () => {
  const taken = { count: 0 };
  function* parts(): Generator<string> {
    for (;;) {
      taken.count++;
      yield half;
    }
  }
  return { taken, parts: parts() };
};

describe('writeParts', () => {
  it('writes everything, in its order', async () => {
    const stream = new PassThrough();
    const read = text(stream);
    await writeParts(stream, ['a', half, 'b', half, 'c']);
    stream.end();
    expect(await read).toBe(`a${half}b${half}c`);
  });

  it('makes no more than the reader takes', async () => {
    const stream = new PassThrough();
    const { taken, parts } = endless();
    const writing = writeParts(stream, parts);
    await new Promise(setImmediate);
    expect(taken.count).toBe(2);
    stream.read();
    await new Promise(setImmediate);
    expect(taken.count).toBeGreaterThan(2);
    stream.destroy();
    await writing;
  });

  it('ends when nobody reads any more', async () => {
    const stream = new PassThrough();
    const { parts } = endless();
    const writing = writeParts(stream, parts);
    stream.destroy();
    await expect(writing).resolves.toBeUndefined();
  });
});
