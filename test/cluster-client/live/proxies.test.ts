import { rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainApiError } from '../../../src/cluster/explain-api-error.ts';
import { ConnectionError } from '../../../src/cluster/api-error.ts';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import { proxyFromEnvironment } from '../../../src/cluster/live/proxy.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { pod } from '../objects.ts';
import { writeKubeconfig } from './connect.ts';
import { json, startFaultyServer, stream, type FaultyServer } from './faulty-server.ts';
import { startHttpProxy, startSocksProxy } from './proxies.ts';

const reference = { resource: resources.pods, namespace: 'llm-serving', name: 'a' };
const found = json(200, pod('a', '7'));

const connectThrough = async (server: FaultyServer, proxyUrl: string) => {
  const kubeconfig = await writeKubeconfig(server, { token: 't' }, { 'proxy-url': proxyUrl });
  const { cluster } = await connectLive({ kubeconfig, env: {}, requestTimeoutMs: 5_000 });
  onTestFinished(() => cluster.close());
  return cluster;
};

const failureThrough = async (server: FaultyServer, proxyUrl: string) => {
  const cluster = await connectThrough(server, proxyUrl);
  const error: unknown = await cluster.get(reference).catch((reason: unknown) => reason);
  if (!(error instanceof ConnectionError)) throw new Error('no ConnectionError', { cause: error });
  const { code, exitCode, message, detail, nextSteps } = explainApiError(error, cluster.identity);
  return { code, exitCode, message, detail, nextSteps };
};

describe.each(['HTTP/2', 'HTTP/1.1'] as const)('behind a proxy, over %s', (protocol) => {
  it.each(['http', 'https'] as const)('asks an %s proxy for a tunnel, with the user and password in its URL', async (scheme) => {
    const server = await startFaultyServer(protocol);
    const proxy = await startHttpProxy({ tls: scheme === 'https', account: 'user:p@ss' });
    server.foresee(found);
    if (scheme === 'https') onTestFinished(proxy.trust());
    expect(await (await connectThrough(server, `${scheme}://user:p%40ss@${proxy.host}`)).get(reference)).toEqual(pod('a', '7'));
    expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(server.url).host]));
  });

  it('asks a SOCKS5 proxy, and lets it resolve the name', async () => {
    const server = await startFaultyServer(protocol);
    const proxy = await startSocksProxy();
    server.foresee(found);
    const { port } = new URL(server.url);
    const named = { ...server, url: `https://localhost:${port}` };
    const kubeconfig = await writeKubeconfig(named, { token: 't' }, { 'proxy-url': proxy.url, 'tls-server-name': '127.0.0.1' });
    const { cluster } = await connectLive({ kubeconfig, env: {}, requestTimeoutMs: 5_000 });
    onTestFinished(() => cluster.close());
    expect(await cluster.get(reference)).toEqual(pod('a', '7'));
    expect(new Set(proxy.targets)).toEqual(new Set([`localhost:${port}`]));
  });

  it('asks a SOCKS5 proxy that wants a user and password, by address', async () => {
    const server = await startFaultyServer(protocol, '::1');
    const proxy = await startSocksProxy({ account: 'user:p@ss' });
    server.foresee(found);
    expect(await (await connectThrough(server, proxy.url.replace('://', '://user:p%40ss@'))).get(reference)).toEqual(pod('a', '7'));
    expect(new Set(proxy.targets)).toEqual(new Set([`0:0:0:0:0:0:0:1:${new URL(server.url).port}`]));
  });

  it('watches through a proxy', async () => {
    const server = await startFaultyServer(protocol);
    const proxy = await startSocksProxy();
    server.foresee(stream([`${JSON.stringify({ type: 'ADDED', object: pod('a', '6') })}\n`], 'end'));
    const cluster = await connectThrough(server, proxy.url);
    const types: string[] = [];
    for await (const { type } of cluster.watch(reference, { resourceVersion: '5', signal: new AbortController().signal })) types.push(type);
    expect(types).toEqual(['ADDED']);
  });
});

describe('a proxy that does not help', () => {
  it.each([
    ['', 'put them into its URL: http://USER:PASSWORD@HOST:PORT'],
    ['user:wrong@', 'it does not accept the user and password in its URL'],
  ])('407, asked as "%s"', async (account, hint) => {
    const server = await startFaultyServer('HTTP/2');
    const proxy = await startHttpProxy({ account: 'user:p@ss' });
    expect(await failureThrough(server, `http://${account}${proxy.host}`)).toMatchObject({
      code: 'ServerUnreachable',
      exitCode: 3,
      message: `no answer from ${server.url} (context "test")`,
      detail: `get pods: proxy ${proxy.host}: 407 Proxy Authentication Required (${hint})`,
    });
    expect(server.seen).toEqual([]);
  });

  it('502: it does not reach the server', async () => {
    const server = await startFaultyServer('HTTP/2');
    const proxy = await startHttpProxy({ refuses: '502 Bad Gateway' });
    expect(await failureThrough(server, `http://${proxy.host}`)).toMatchObject({
      detail: `get pods: proxy ${proxy.host}: 502 Bad Gateway`,
    });
  });

  it('nothing listens there', async () => {
    const server = await startFaultyServer('HTTP/2');
    expect(await failureThrough(server, 'http://127.0.0.1:9')).toMatchObject({
      detail: 'get pods: proxy 127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9',
      message: `nothing listens at the proxy 127.0.0.1:9 of ${server.url} (context "test")`,
    });
  });

  it.each([
    ['it refuses the target', {}, '', 'connection refused: 127.0.0.1:9'],
    [
      'it wants a login',
      { account: 'user:p@ss' },
      '',
      'it wants a user and password: put them into its URL, socks5://USER:PASSWORD@HOST:PORT',
    ],
    ['it refuses the login', { account: 'user:p@ss' }, 'user:wrong@', 'it does not accept the user and password in its URL'],
  ])('SOCKS5: %s', async (_, options, account, words) => {
    const proxy = await startSocksProxy(options);
    const server = { ...(await startFaultyServer('HTTP/2')), url: 'https://127.0.0.1:9' };
    const { detail } = await failureThrough(server, proxy.url.replace('://', `://${account}`));
    expect(detail).toBe(`get pods: proxy ${new URL(proxy.url).host}: ${words}`);
  });

  it('SOCKS5: it speaks something else', async () => {
    const server = await startFaultyServer('HTTP/2');
    const proxy = await startHttpProxy({});
    const { detail } = await failureThrough(server, `socks5://${proxy.host}`);
    expect(detail).toBe(`get pods: proxy ${proxy.host}: it does not speak SOCKS5`);
  });

  it('is of a kind that poimen cannot use', async () => {
    const server = await startFaultyServer('HTTP/2');
    await expect(connectThrough(server, 'ftp://127.0.0.1:1080')).rejects.toMatchObject({
      exitCode: 2,
      message: 'cluster "faulty" is behind a proxy that poimen cannot use: ftp:',
    });
  });
});

describe('HTTPS_PROXY and NO_PROXY, as kubectl reads them', () => {
  it.each([
    ['https://prod.example:6443', '', true],
    ['https://prod.example:6443', 'prod.example', false],
    ['https://api.prod.example', 'prod.example', false],
    ['https://api.prod.example', '.prod.example', false],
    ['https://api.prod.example', '*.prod.example', false],
    ['https://prod.example', '.prod.example', true],
    ['https://prod.example', '*.prod.example', true],
    ['https://notprod.example', 'prod.example', true],
    ['https://PROD.example', ' Prod.Example ', false],
    ['https://prod.example:6443', 'prod.example:6443', false],
    ['https://prod.example:6443', 'prod.example:443', true],
    ['https://prod.example', 'prod.example:443', false],
    ['https://10.1.2.3:6443', '192.168.0.0/16, 10.0.0.0/8', false],
    ['https://11.1.2.3:6443', '10.0.0.0/8', true],
    ['https://10.1.2.3:6443', '10.1.2.3', false],
    ['https://10.1.2.3:6443', '10.1.2.3:6443', false],
    ['https://10.1.2.3:6443', '10.1.2.3:443', true],
    ['https://10.1.2.3:6443', '2.3', true],
    ['https://10.1.2.3:6443', '10.0.0.0/99', true],
    ['https://[fd00::1]:6443', 'fd00::/8', false],
    ['https://[fd00::1]:6443', '[fd00::1]:6443', false],
    ['https://[fd00::1]:6443', 'fd00::1', false],
    ['https://prod.example', '*', false],
    ['https://127.0.0.1:6443', '', false],
    ['https://[::1]:6443', '', false],
    ['https://localhost:6443', '', false],
    ['http://prod.example:8001', '', false],
  ])('%s, NO_PROXY "%s": proxied %s', (server, exceptions, isProxied) => {
    const proxy = proxyFromEnvironment(new URL(server), { HTTPS_PROXY: 'proxy:3128', NO_PROXY: exceptions });
    expect(proxy?.href).toBe(isProxied ? 'http://proxy:3128/' : undefined);
  });

  it('reads the lower-case names too, the upper-case ones first', () => {
    const server = new URL('https://prod.example');
    expect(proxyFromEnvironment(server, { https_proxy: 'socks5://low:1080' })?.href).toBe('socks5://low:1080');
    expect(proxyFromEnvironment(server, { HTTPS_PROXY: 'up:1', https_proxy: 'low:1' })?.href).toBe('http://up:1/');
    expect(proxyFromEnvironment(server, { HTTPS_PROXY: 'up:1', no_proxy: 'prod.example' })).toBeUndefined();
  });

  it('goes through the proxy that the environment names', async () => {
    const proxy = await startHttpProxy({});
    const kubeconfig = await writeKubeconfig({ url: 'https://prod.invalid:6443', certificateAuthority: '' });
    const { cluster } = await connectLive({ kubeconfig, env: { https_proxy: proxy.host }, requestTimeoutMs: 5_000 });
    onTestFinished(() => cluster.close());
    await expect(cluster.get(reference)).rejects.toThrow(`proxy ${proxy.host}: 502 Bad Gateway`);
    expect(proxy.tunnels).toEqual(['prod.invalid:6443']);
    await rm(kubeconfig);
  });
});
