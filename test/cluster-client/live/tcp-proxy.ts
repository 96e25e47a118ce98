import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TcpProxy {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** Breaks all connections; new ones are let through. */
  reset(): void;
  /** No byte goes through any more on the connections there are, and nobody is told. */
  freeze(): void;
  /** Since the start. */
  readonly connections: () => number;
}

/** Stands between a client and a server on loopback, and is the network that fails. */
export const startTcpProxy = async (serverPort: number, serverHost = '127.0.0.1'): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  let connections = 0;
  const proxy = createServer((client) => {
    connections++;
    const server = keep(connect(serverPort, serverHost));
    keep(client).on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.pipe(server).pipe(client);
  });
  const reset = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    reset();
    await new Promise((resolve) => proxy.close(resolve));
  });
  return {
    url: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    reset,
    connections: () => connections,
    freeze: () => sockets.forEach((socket) => socket.unpipe().pause()),
  };
};
