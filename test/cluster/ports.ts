import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which Linux takes the local ports of outgoing connections: nothing else grabs them meanwhile. */
const range = { from: 20_000, to: 32_000 };

/**
 * Picks ports on 127.0.0.1 that nobody listens on now. Another process can still be faster to take one:
 * the caller starts again with others when a server says "address already in use".
 */
export async function pickFreePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count; attempt++) {
    if (attempt > 1_000) throw new Error(`fewer than ${count} free ports between ${range.from} and ${range.to} on 127.0.0.1`);
    const port = randomInt(range.from, range.to);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
