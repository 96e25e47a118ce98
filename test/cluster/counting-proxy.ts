import { startTcpRelay } from './tcp-relay.ts';

export interface CountingProxy {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** From the server to its clients, encrypted, since the last call. */
  takeReceivedBytes(): number;
  close(): Promise<void>;
}

/** Stands between clients and a server on loopback, and counts. */
export const startCountingProxy = async (server: string): Promise<CountingProxy> => {
  const { hostname, port } = new URL(server);
  let received = 0;
  const relay = await startTcpRelay(Number(port), hostname, (upstream) =>
    upstream.on('data', (chunk: Buffer) => (received += chunk.length)),
  );
  return {
    url: `https://127.0.0.1:${relay.port}`,
    takeReceivedBytes() {
      const bytes = received;
      received = 0;
      return bytes;
    },
    close: relay.close,
  };
};
