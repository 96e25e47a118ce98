import { describe, expect, it } from 'vitest';
import type { HostSettings } from '../../src/registry/host-settings.ts';
import { answerJson } from '../registry-server/answers.ts';
import { pushImage, pushReferrer } from '../registry-server/images.ts';
import type { TestRegistry } from '../registry-server/registry-server.ts';
import { reach, testClient, testRegistry } from './client.ts';

const repository = 'llm/candle';

const through = (registry: TestRegistry, ...mirrors: NonNullable<HostSettings['mirrors']>): [string, HostSettings] =>
  reach(registry, { mirrors });

const pathsOf = (registry: TestRegistry): readonly string[] => registry.requests.map(({ path }) => path);

describe('mirrors', () => {
  it('are asked first, for digests, under the path that stands for the registry, and told which one', async () => {
    const [registry, mirror] = [await testRegistry(), await testRegistry()];
    const { index } = pushImage(mirror, `hub/${repository}`, { tag: 'sm70', labels: { revision: 'old' } });
    const { index: current } = pushImage(registry, repository, { tag: 'sm70' });
    const client = testClient([through(registry, { url: `${mirror.url}/v2/hub`, resolvesTags: false })]);
    const source = client.source({ registry: registry.host, repository });
    expect(await source.getManifest(index.digest)).toMatchObject({ digest: index.digest });
    expect(registry.requests).toEqual([]);
    expect(pathsOf(mirror)).toEqual([`/v2/hub/${repository}/manifests/${index.digest}?ns=${encodeURIComponent(registry.host)}`]);
    expect(await source.getManifest('sm70')).toMatchObject({ digest: current.digest });
    expect(await source.peekDigest('sm70')).toBe(current.digest);
    expect(mirror.requests).toHaveLength(1);
    expect(registry.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /v2/${repository}/manifests/sm70`,
      `HEAD /v2/${repository}/manifests/sm70`,
    ]);
  });

  it('say what a tag names only where they may', async () => {
    const [registry, mirror] = [await testRegistry(), await testRegistry()];
    const old = pushImage(mirror, repository, { tag: 'sm70', labels: { revision: 'old' } });
    const client = testClient([through(registry, { url: mirror.url, resolvesTags: true })]);
    expect(await client.source({ registry: registry.host, repository }).getManifest('sm70')).toMatchObject({ digest: old.index.digest });
  });

  it.each([
    ['has it not', (mirror: TestRegistry) => mirror.url],
    ['is down', () => 'http://127.0.0.1:1'],
    ['fails', (mirror: TestRegistry) => (mirror.fault(/./, (_, response) => answerJson(response, 500, {})), mirror.url)],
    ['lets nobody in', (mirror: TestRegistry) => (mirror.fault(/./, (_, response) => answerJson(response, 401, {})), mirror.url)],
    [
      'gives something else',
      (mirror: TestRegistry) => (mirror.fault(/./, (_, response) => answerJson(response, 200, { schemaVersion: 2 })), mirror.url),
    ],
  ])('are passed over where one %s', async (_, url) => {
    const [registry, mirror] = [await testRegistry(), await testRegistry()];
    const { index, config } = pushImage(registry, repository);
    const client = testClient([through(registry, { url: url(mirror), resolvesTags: true })]);
    const source = client.source({ registry: registry.host, repository });
    expect(await source.getManifest(index.digest)).toMatchObject({ digest: index.digest });
    expect(await source.getBlob(config, 10_000)).toBeDefined();
  });

  it('do not have the last word: what the registry says counts, and an error names them all', async () => {
    const registry = await testRegistry();
    const client = testClient([through(registry, { url: 'http://127.0.0.1:1', resolvesTags: true })]);
    const source = client.source({ registry: registry.host, repository });
    expect(await source.getManifest('sm70')).toBeUndefined();
    registry.fault(/./, (_, response) => answerJson(response, 500, {}));
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryFailed',
      detail: expect.stringContaining('mirror 127.0.0.1:1: nothing listens at 127.0.0.1:1'),
    });
  });

  it('are told no credentials but their own', async () => {
    const [registry, mirror] = [await testRegistry(), await testRegistry({ auth: { kind: 'basic', users: { m: 'm' } } })];
    const { index } = pushImage(mirror, repository);
    const asked: string[] = [];
    const client = testClient([through(registry, { url: mirror.url, resolvesTags: false })], {
      credentials: async ({ host }) => {
        asked.push(host);
        return { credentials: host === mirror.host ? [{ kind: 'password', username: 'm', password: 'm', origin: 'x' }] : [], looked: [] };
      },
    });
    expect(await client.source({ registry: registry.host, repository }).getManifest(index.digest)).toBeDefined();
    expect(asked).toEqual([mirror.host]);
  });

  it('are asked for referrers only when the registry cannot be reached, and never believed that there are none', async () => {
    const [registry, mirror] = [await testRegistry(), await testRegistry()];
    const { index } = pushImage(mirror, repository);
    const signed = pushReferrer(mirror, repository, index, { artifactType: 'a/b' });
    const other = pushImage(mirror, repository, { labels: { a: 'b' } });
    const source = testClient([through(registry, { url: mirror.url, resolvesTags: true })]).source({ registry: registry.host, repository });
    expect(await source.listReferrers(index.digest)).toEqual([]); // the registry's word
    expect(mirror.requests).toEqual([]);
    await registry.stop();
    expect((await source.listReferrers(index.digest)).map(({ digest }) => digest)).toEqual([signed.digest]);
    await expect(source.listReferrers(other.index.digest)).rejects.toMatchObject({ code: 'RegistryUnreachable' });
  });

  it.each(['ftp://mirror.example', 'http://me:hunter2@mirror.example', 'https://mirror.example/cache', 'mirror.example'])(
    'cannot be %s',
    (url) => {
      const client = testClient([['r.example', { mirrors: [{ url, resolvesTags: true }] }]]);
      const open = (): unknown => client.source({ registry: 'r.example', repository });
      expect(open).toThrowError(expect.objectContaining({ code: 'MirrorInvalid', message: 'a mirror of r.example has no usable address' }));
    },
  );
});
