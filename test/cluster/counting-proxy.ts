import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

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
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  let received = 0;
  const proxy = createServer((client) => {
    const upstream = keep(connect(Number(port), hostname));
    keep(client).on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy()).on('data', (chunk: Buffer) => (received += chunk.length));
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    takeReceivedBytes() {
      const bytes = received;
      received = 0;
      return bytes;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
};
