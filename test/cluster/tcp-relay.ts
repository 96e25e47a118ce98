import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpRelay {
  readonly port: number;
  /** Of both sides, as long as they are open. */
  readonly sockets: ReadonlySet<Socket>;
  /** Ends its connections, and takes no more. */
  close(): Promise<void>;
}

/** Stands on loopback between clients and a server. `connected` is told of each connection, by its socket to the server. */
export const startTcpRelay = async (
  serverPort: number,
  serverHost: string,
  connected: (server: Socket) => void = () => undefined,
): Promise<TcpRelay> => {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const relay = createServer((client) => {
    const server = keep(connect(serverPort, serverHost));
    keep(client).on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    connected(server);
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  return {
    port: (relay.address() as AddressInfo).port,
    sockets,
    async close() {
      for (const socket of sockets) socket.resetAndDestroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
};
