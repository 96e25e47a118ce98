import type { Writable } from 'node:stream';

/** Characters that are gathered before something is written. */
const atOnce = 65_536;

/**
 * Writes a long text part by part, and waits while the reader is behind: memory holds what is under way. Ends early, as if all were
 * written, when nobody reads any more (`| head`).
 */
export const writeParts = async (stream: Writable, parts: Iterable<string>): Promise<void> => {
  let isLost = false;
  const write = (text: string): boolean =>
    stream.write(text, (error) => {
      if (error) isLost = true; // process.stdout is never destroyed
    });
  let waiting = '';
  for (const part of parts) {
    waiting += part;
    if (waiting.length < atOnce) continue;
    if (!write(waiting)) await room(stream);
    if (isLost || stream.destroyed) return;
    waiting = '';
  }
  if (waiting !== '') write(waiting);
};

const room = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    const events = ['drain', 'error', 'close'] as const;
    const go = (): void => {
      for (const event of events) stream.off(event, go);
      resolve();
    };
    for (const event of events) stream.on(event, go);
  });
