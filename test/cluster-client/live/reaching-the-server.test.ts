import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect as connectSocket, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../../src/cluster/api-error.ts';
import { explainApiError } from '../../../src/cluster/explain-api-error.ts';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import { proxyFromEnvironment } from '../../../src/cluster/live/proxy.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { pod } from '../objects.ts';
import { createCertificate } from './certificate.ts';
import { connectTo, writeKubeconfig } from './connect.ts';
import { json, reset, startFaultyServer, type FaultyServer } from './faulty-server.ts';

const reference = { resource: resources.pods, namespace: 'llm-serving', name: 'a' };
const found = json(200, pod('a', '7'));

/** What a person is told when the first request is sent. */
const failureOf = async (server: Pick<FaultyServer, 'url' | 'certificateAuthority'>, insecureSkipTlsVerify = false): Promise<unknown> => {
  const kubeconfig = await writeKubeconfig({ ...server, seen: [], foresee: () => undefined });
  const { cluster } = await connectLive({ kubeconfig, env: {}, requestTimeoutMs: 5_000, insecureSkipTlsVerify });
  onTestFinished(() => cluster.close());
  const error = await cluster.get(reference).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ConnectionError ? explainApiError(error, cluster.identity) : error;
};

describe('reaching the server', () => {
  it('fails at once where nothing listens', async () => {
    const url = 'https://127.0.0.1:9'; // discard, RFC 863: closed everywhere
    expect(await failureOf({ url, certificateAuthority: createCertificate().certificate })).toMatchObject({
      code: 'ServerUnreachable',
      exitCode: 3,
      message: 'nothing listens at https://127.0.0.1:9 (context "test")',
      detail: 'get pods: connect ECONNREFUSED 127.0.0.1:9',
    });
  });

  it('fails at a name that does not exist', async () => {
    const url = 'https://poimen.invalid'; // RFC 2606: never exists
    expect(await failureOf({ url, certificateAuthority: createCertificate().certificate })).toMatchObject({
      code: 'ServerNameUnknown',
      exitCode: 3,
    });
  });

  it.each(['HTTP/2', 'HTTP/1.1'] as const)('does not trust a certificate of another authority, unless told to (%s)', async (protocol) => {
    const server = await startFaultyServer(protocol);
    const stranger = { url: server.url, certificateAuthority: createCertificate().certificate };
    expect(await failureOf(stranger)).toMatchObject({
      code: 'CertificateNotTrusted',
      exitCode: 3,
      message: `the certificate of ${server.url} is not to be trusted (context "test")`,
    });
    expect(server.seen).toEqual([]);
    server.foresee(found);
    expect(await failureOf(stranger, true)).toBeUndefined();
  });

  it('fails at a server that does not speak TLS', async () => {
    const server = await startFaultyServer('plain HTTP');
    expect(await failureOf({ url: server.url.replace('http', 'https'), certificateAuthority: server.certificateAuthority })).toMatchObject({
      code: 'TlsFailed',
      exitCode: 3,
    });
  });

  it('goes on over a new connection when the old one broke', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found, reset, found);
    const { cluster } = await connectTo(server);
    await cluster.get(reference);
    await expect(cluster.patch(reference, { type: 'merge', body: {} }, { fieldManager: 'poimen' })).rejects.toBeInstanceOf(ConnectionError);
    expect(await cluster.get(reference)).toBeDefined();
  });
});

describe('proxies', () => {
  /** An HTTP proxy that only makes tunnels. */
  const startProxy = async (): Promise<{ readonly url: string; readonly tunnels: readonly string[] }> => {
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (request, client) => {
      tunnels.push(`${request.url} ${request.headers['proxy-authorization']}`);
      if (request.headers['proxy-authorization'] === undefined)
        return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      const { hostname, port } = new URL(`http://${request.url}`);
      const upstream = connectSocket(Number(port), hostname, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy());
      client.on('error', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    return { url: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, tunnels };
  };

  const getThrough = async (server: FaultyServer, proxyUrl: string) => {
    const kubeconfig = await writeKubeconfig(server);
    await writeFile(kubeconfig, (await readFile(kubeconfig, 'utf8')).replace('"server":', `"proxy-url": "${proxyUrl}", "server":`));
    const { cluster } = await connectLive({ kubeconfig, env: {}, requestTimeoutMs: 5_000 });
    onTestFinished(() => cluster.close());
    return await cluster.get(reference);
  };

  it('reaches the server through the proxy that the kubeconfig names', async () => {
    const server = await startFaultyServer('HTTP/2');
    const proxy = await startProxy();
    server.foresee(found);
    expect(await getThrough(server, `http://user:p%40ss@${proxy.url}`)).toEqual(pod('a', '7'));
    expect(proxy.tunnels).toEqual([`${new URL(server.url).host} Basic ${Buffer.from('user:p@ss').toString('base64')}`]);
  });

  it("passes on the proxy's refusal", async () => {
    const server = await startFaultyServer('HTTP/2');
    const proxy = await startProxy();
    await expect(getThrough(server, `http://${proxy.url}`)).rejects.toThrow(
      `get pods: proxy ${proxy.url}: 407 Proxy Authentication Required`,
    );
  });

  it('cannot use a SOCKS proxy, and says so', async () => {
    const server = await startFaultyServer('HTTP/2');
    await expect(getThrough(server, 'socks5://127.0.0.1:1080')).rejects.toMatchObject({
      exitCode: 2,
      message: 'cluster "faulty" is behind a proxy that poimen cannot use: socks5:',
    });
  });

  it.each([
    ['https://prod.example:6443', '', 'http://proxy:3128/'],
    ['https://prod.example:6443', 'prod.example', undefined],
    ['https://api.prod.example', '.prod.example', undefined],
    ['https://notprod.example', 'prod.example', 'http://proxy:3128/'],
    ['https://10.1.2.3:6443', '192.168.0.0/16, 10.0.0.0/8', undefined],
    ['https://11.1.2.3:6443', '10.0.0.0/8', 'http://proxy:3128/'],
    ['https://[fd00::1]:6443', 'fd00::/8', undefined],
    ['https://prod.example', '*', undefined],
    ['https://127.0.0.1:6443', '', undefined],
    ['http://prod.example:8001', '', undefined],
  ])('follows HTTPS_PROXY and NO_PROXY: %s, excepting "%s"', (server, exceptions, expected) => {
    expect(proxyFromEnvironment(new URL(server), { HTTPS_PROXY: 'proxy:3128', NO_PROXY: exceptions })?.href).toBe(expected);
  });
});
