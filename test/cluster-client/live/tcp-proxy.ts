import { onTestFinished } from 'vitest';
import { startTcpRelay } from '../../cluster/tcp-relay.ts';

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
  let connections = 0;
  const { port, sockets, close } = await startTcpRelay(serverPort, serverHost, () => connections++);
  onTestFinished(close);
  return {
    url: `https://127.0.0.1:${port}`,
    reset: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    connections: () => connections,
    freeze: () => sockets.forEach((socket) => socket.unpipe().pause()),
  };
};
