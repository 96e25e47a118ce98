import type { Readable } from 'node:stream';

/**
 * The chunks of an answer; listens from now on, reads when asked. Not by Node's own iterator (nor `stream/consumers`, which uses it): that one
 * takes an HTTP/2 stream which the server has finished, and which nobody has read yet, for one that broke off.
 */
export const readChunks = (stream: Readable): AsyncIterable<Uint8Array> => {
  let wake = (): void => undefined;
  let failure: Error | undefined;
  stream
    .on('readable', () => wake())
    .on('end', () => wake())
    .on('close', () => wake())
    .on('error', (error) => {
      failure = error;
      wake();
    });
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const chunk: unknown = stream.read();
      if (chunk instanceof Uint8Array) yield chunk;
      else if (failure !== undefined) throw failure;
      else if (stream.readableEnded || stream.destroyed) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return chunks();
};
