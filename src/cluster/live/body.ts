import type { Readable } from 'node:stream';

/**
 * The chunks of an answer. Not by Node's own iterator (nor `stream/consumers`, which uses it): that one takes an HTTP/2 stream which the server
 * has finished, and which nobody has read yet, for one that broke off.
 */
export async function* readChunks(stream: Readable): AsyncGenerator<Uint8Array, void> {
  let wake = (): void => undefined;
  let failure: Error | undefined;
  let over = false;
  const end = (): void => {
    over = true;
    wake();
  };
  stream
    .on('readable', () => wake())
    .on('end', end)
    .on('close', end)
    .on('error', (error) => {
      failure = error;
      wake();
    });
  for (;;) {
    const chunk: unknown = stream.read();
    if (chunk instanceof Uint8Array) yield chunk;
    else if (failure !== undefined) throw failure;
    else if (over || stream.readableEnded || stream.destroyed) return;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}
