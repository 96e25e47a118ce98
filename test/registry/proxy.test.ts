import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createCertificate } from '../cluster-client/live/certificate.ts';
import { pushImage } from '../registry-server/images.ts';
import { testClient, testRegistry } from './client.ts';

const repository = 'llm/candle';
/** Reserved for documentation: nothing is there, and nothing is sent there. */
const address = '192.0.2.1';

/** Tunnels to one port of this machine, whatever is asked for. */
const tunnelTo = async (
  port: number,
  status = 'HTTP/1.1 200 OK',
): Promise<{ readonly host: string; readonly tunnels: readonly string[] }> => {
  const tunnels: string[] = [];
  const proxy = createServer().on('connect', (request, client: Socket) => {
    tunnels.push(`${request.url ?? ''} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    client.on('error', () => undefined).write(`${status}\r\n\r\n`);
    if (!status.includes('200')) return void client.end();
    const registry = connect(port, '127.0.0.1').on('error', () => client.destroy());
    client.on('close', () => registry.destroy());
    client.pipe(registry).pipe(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return { host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, tunnels };
};

it('a registry behind a proxy is reached through it, by the certificate of its own', async () => {
  const certificate = createCertificate([192, 0, 2, 1]);
  const registry = await testRegistry({ tls: certificate });
  pushImage(registry, repository, { tag: 'sm70' });
  const proxy = await tunnelTo(registry.port);
  const host = `${address}:5000`;
  const env = { HTTPS_PROXY: `http://me:secret@${proxy.host}` };
  const client = testClient([[host, { ca: certificate.certificate }]], { env });
  expect(await client.source({ registry: host, repository }).getManifest('sm70')).toBeDefined();
  expect(proxy.tunnels).toEqual([`${host} Basic ${Buffer.from('me:secret').toString('base64')}`]);
});

it('a registry on this machine, or one that NO_PROXY names, is not asked through a proxy', async () => {
  const registry = await testRegistry({ tls: true });
  pushImage(registry, repository, { tag: 'sm70' });
  const proxy = await tunnelTo(registry.port);
  const client = testClient([[registry.host, { ca: registry.ca ?? '' }]], { env: { HTTPS_PROXY: `http://${proxy.host}` } });
  expect(await client.source({ registry: registry.host, repository }).getManifest('sm70')).toBeDefined();
  expect(proxy.tunnels).toEqual([]);
});

it.each([
  ['refuses', 'HTTP/1.1 407 Proxy Authentication Required', '407'],
  ['finds nobody', 'HTTP/1.1 502 Bad Gateway', '502'],
])('a proxy that %s is named in the error, without its password', async (_, status, code) => {
  const proxy = await tunnelTo(1, status);
  const env = { HTTPS_PROXY: `http://me:hunter2@${proxy.host}` };
  const host = `${address}:5000`;
  const error: unknown = await testClient([], { env })
    .source({ registry: host, repository })
    .getManifest('sm70')
    .catch((each: unknown) => each);
  expect(error).toMatchObject({ code: 'RegistryUnreachable', message: expect.stringContaining(`the proxy ${proxy.host} of ${host}`) });
  expect(error).toMatchObject({ detail: expect.stringContaining(code) });
  expect(JSON.stringify(error)).not.toContain('hunter2');
});

it('a proxy that is down is named in the error', async () => {
  const host = `${address}:5000`;
  const client = testClient([], { env: { HTTPS_PROXY: 'http://127.0.0.1:1' } });
  await expect(client.source({ registry: host, repository }).getManifest('sm70')).rejects.toMatchObject({
    code: 'RegistryUnreachable',
    message: expect.stringContaining('nothing listens at the proxy 127.0.0.1:1'),
  });
});
