import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createCertificate } from './certificate.ts';

export interface HttpProxy {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** What was asked for: `HOST:PORT`. */
  readonly tunnels: readonly string[];
  /** Makes this process trust the proxy's certificate; returns how to end that. */
  trust(): () => void;
}

/** An HTTP proxy that only makes tunnels. */
export const startHttpProxy = async (options: {
  readonly tls?: boolean;
  /** `USER:PASSWORD`; without it everybody may use it. */
  readonly account?: string;
  readonly refuses?: string;
}): Promise<HttpProxy> => {
  const tunnels: string[] = [];
  const { certificate, key } = createCertificate();
  const proxy: Server = options.tls === true ? createHttpsServer({ cert: certificate, key }) : createHttpServer();
  const expected = options.account === undefined ? undefined : `Basic ${Buffer.from(options.account).toString('base64')}`;
  proxy.on('connect', (request, client: Socket) => {
    client.on('error', () => undefined);
    if (request.headers['proxy-authorization'] !== expected) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    tunnels.push(request.url ?? '');
    if (options.refuses !== undefined) return void client.end(`HTTP/1.1 ${options.refuses}\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    client.on('close', () => upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return {
    host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    tunnels,
    trust: () => {
      const before = getCACertificates('default');
      setDefaultCACertificates([...before, certificate]);
      return () => setDefaultCACertificates(before);
    },
  };
};

export interface SocksProxy {
  readonly url: string;
  /** What was asked for: `HOST:PORT`, a name as a name. */
  readonly targets: readonly string[];
}

/** Source: RFC 1928, RFC 1929. */
export const startSocksProxy = async (options: { readonly account?: string } = {}): Promise<SocksProxy> => {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const serve = async (client: Socket): Promise<void> => {
    const take = takeFrom(client);
    const [, count = 0] = await take(2);
    const methods = [...(await take(count))];
    const method = options.account === undefined ? 0 : methods.includes(2) ? 2 : 0xff;
    client.write(Uint8Array.of(5, method));
    if (method === 0xff) return void client.end();
    if (method === 2) {
      const [, userLength = 0] = await take(2);
      const user = (await take(userLength)).toString();
      const password = (await take((await take(1))[0] ?? 0)).toString();
      const isRight = `${user}:${password}` === options.account;
      client.write(Uint8Array.of(1, isRight ? 0 : 1));
      if (!isRight) return void client.end();
    }
    const [, , , type] = await take(4);
    const host =
      type === 3
        ? (await take((await take(1))[0] ?? 0)).toString()
        : type === 4
          ? (await take(16))
              .toString('hex')
              .replaceAll(/(.{4})(?=.)/g, '$1:')
              .replaceAll(/\b0{1,3}/g, '')
          : (await take(4)).join('.');
    const port = (await take(2)).readUInt16BE();
    targets.push(`${host}:${port}`);
    const upstream = connect(port, host);
    sockets.add(upstream);
    upstream.on('connect', () => {
      client.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.end(Uint8Array.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0)));
    client.on('close', () => upstream.destroy());
  };
  const proxy = createServer((client) => {
    sockets.add(client.on('error', () => undefined));
    void serve(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return { url: `socks5://127.0.0.1:${(proxy.address() as AddressInfo).port}`, targets };
};

const takeFrom =
  (socket: Socket) =>
  async (count: number): Promise<Buffer> => {
    for (;;) {
      const bytes: unknown = count === 0 ? Buffer.alloc(0) : socket.read(count);
      if (Buffer.isBuffer(bytes)) return bytes;
      await once(socket, 'readable');
    }
  };
