import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP server on loopback that does with each connection what it is told to. Returns its port. */
export const serve = async (handle: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> => {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
};

/** Once the request is there, the text; then the connection ends, unless it `goesOn`. */
export const answering =
  (
    text: string,
    { goesOn = false, heard = () => undefined }: { readonly goesOn?: boolean; readonly heard?: (request: string) => void } = {},
  ) =>
  (socket: Socket): void => {
    let request = '';
    socket.on('data', (data: Buffer) => {
      request += data.toString();
      if (!request.includes('\r\n\r\n')) return;
      heard(request);
      if (goesOn) socket.write(text);
      else socket.end(text);
      request = '';
    });
  };

/** A port of loopback on which nobody listens. */
export const closedPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/**
 * A port of loopback that lets nobody in: the kernel drops what comes, because the queue of those who wait to be accepted is full.
 *
 * Source: listen(2), `backlog`.
 */
export const droppingPort = async (): Promise<number> => {
  const script =
    'import socket, time; s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0); print(s.getsockname()[1], flush=True); time.sleep(600)';
  const child = spawn('/usr/bin/python3', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = Number(String((await once(child.stdout, 'data'))[0]));
  const waiting = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => {
    waiting.destroy();
    child.kill();
  });
  await once(waiting, 'connect');
  return port;
};
