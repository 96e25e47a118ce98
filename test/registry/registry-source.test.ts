import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readDescriptors } from '../../src/registry/descriptor.ts';
import { digestOf } from '../../src/registry/digest.ts';
import { manifestAccept } from '../../src/registry/media-types.ts';
import { answerJson } from '../registry-server/answers.ts';
import { pushImage, pushReferrer, types } from '../registry-server/images.ts';
import { impatientClock, reach, testClient, testRegistry } from './client.ts';

const repository = 'llm/candle';

describe('an image in a registry', () => {
  it('gives its label for three requests, and no more bytes than its documents have', async () => {
    const registry = await testRegistry();
    const pushed = pushImage(registry, repository, { tag: 'sm70', labels: { revision: 'f3c00b2' } });
    const client = testClient([reach(registry)]);
    const source = client.source({ registry: registry.host, repository });

    const index = await source.getManifest('sm70');
    const [child] = index === undefined ? [] : (readDescriptors(index.document, 'manifests') ?? []);
    const manifest = await source.getManifest(child?.digest ?? '');
    const config = await source.getBlob(manifest?.document['config'] as typeof pushed.config, 1_000_000);
    expect(JSON.parse(String(config))).toMatchObject({ config: { Labels: { revision: 'f3c00b2' } } });

    expect(registry.requests.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
      ['GET', `/v2/${repository}/manifests/sm70`, undefined],
      ['GET', `/v2/${repository}/manifests/${pushed.manifest.digest}`, undefined],
      ['GET', `/v2/${repository}/blobs/${pushed.config.digest}`, undefined],
    ]);
    const contents = [pushed.index, pushed.manifest, pushed.config].map(({ size }) => size);
    expect(client.records.map(({ bodyBytes }) => bodyBytes)).toEqual(contents);
    // What the socket carried beyond the contents are three headers.
    const beyond = registry.requests.map(({ wireBytes }, at) => wireBytes - (contents[at] ?? 0));
    const statusLine = 'HTTP/1.1 200 OK\r\n'.length + '\r\n'.length;
    expect(beyond).toEqual(client.records.map(({ headerBytes }) => headerBytes + statusLine));
    expect(Math.max(...beyond)).toBeLessThan(400);
  });

  it('is asked for with every media type that an image can have, and uncompressed', async () => {
    const registry = await testRegistry();
    pushImage(registry, repository, { tag: 'sm70' });
    await testClient([reach(registry)])
      .source({ registry: registry.host, repository })
      .getManifest('sm70');
    expect(registry.requests.map(({ headers }) => [headers.accept, headers['accept-encoding']])).toEqual([[manifestAccept, 'identity']]);
    expect(manifestAccept.split(', ')).toHaveLength(4);
  });

  it('says what it is: digest and type of what was sent', async () => {
    const registry = await testRegistry();
    const { index, layer } = pushImage(registry, repository, { tag: 'sm70', layer: 'many bytes' });
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    expect(await source.getManifest('sm70')).toMatchObject({ digest: index.digest, size: index.size, mediaType: types.index });
    expect(await source.getManifest(index.digest)).toMatchObject({ digest: index.digest });
    const stream = await source.openBlob(layer);
    expect(stream === undefined ? undefined : (await buffer(stream)).toString()).toBe('many bytes');
    expect(source.name).toBe(`${registry.host}/${repository}`);
  });

  it('is absent, which is no error, where the registry says so', async () => {
    const registry = await testRegistry();
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    const gone = { digest: `sha256:${'0'.repeat(64)}`, size: 1 };
    expect(await source.getManifest('sm70')).toBeUndefined();
    expect(await source.getManifest(gone.digest)).toBeUndefined();
    expect(await source.getBlob(gone, 10)).toBeUndefined();
    expect(await source.openBlob(gone)).toBeUndefined();
  });

  it('is told apart from an earlier one under the same tag without being read', async () => {
    const registry = await testRegistry();
    const client = testClient([reach(registry)]);
    const source = client.source({ registry: registry.host, repository });
    expect(await source.peekDigest('sm70')).toBeUndefined();
    const { index } = pushImage(registry, repository, { tag: 'sm70' });
    expect(await source.peekDigest('sm70')).toBe(index.digest);
    expect(client.records.map(({ method, status, bodyBytes }) => [method, status, bodyBytes])).toEqual([
      ['HEAD', 404, 0],
      ['HEAD', 200, 0],
    ]);
    registry.fault(/./, (_, response) => response.end(), 1);
    expect(await source.peekDigest('sm70')).toBe(index.digest);
    expect(registry.requests.slice(2).map(({ method }) => method)).toEqual(['HEAD', 'GET']);
    registry.fault(/./, (_, response) => response.writeHead(500).end());
    await expect(source.peekDigest('sm70')).rejects.toMatchObject({ code: 'RegistryFailed' });
  });

  it('can be named with sha512, and is hashed with it', async () => {
    const registry = await testRegistry();
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests: [] }));
    const digest = digestOf(bytes, 'sha512');
    registry.content.putManifest(repository, digest, { bytes, mediaType: types.index });
    registry.content.blobs.set(digest, bytes);
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    expect(await source.getManifest(digest)).toMatchObject({ digest });
    expect(await source.getBlob({ digest, size: bytes.length }, 1_000)).toEqual(bytes);
    registry.content.blobs.set(digest, Buffer.alloc(bytes.length));
    await expect(source.getBlob({ digest, size: bytes.length }, 1_000)).rejects.toMatchObject({ code: 'DigestMismatch' });
  });

  it('is read over TLS with a CA of its own, and not without', async () => {
    const registry = await testRegistry({ tls: true });
    pushImage(registry, repository, { tag: 'sm70' });
    const where = { registry: registry.host, repository };
    expect(
      await testClient([reach(registry)])
        .source(where)
        .getManifest('sm70'),
    ).toBeDefined();
    await expect(testClient([]).source(where).getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryCertificateNotTrusted',
      nextSteps: [expect.stringContaining(`--registry-ca ${registry.host}=FILE`)],
    });
  });

  it('is never asked for without TLS, unless that was said of this host', async () => {
    const registry = await testRegistry();
    pushImage(registry, repository, { tag: 'sm70' });
    await expect(testClient([]).source({ registry: registry.host, repository }).getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryTlsFailed',
      nextSteps: [expect.stringContaining(`--plain-http ${registry.host}`)],
    });
    expect(registry.requests).toEqual([]);
  });

  it('needs no request for content that stands in its descriptor, if it is the right one', async () => {
    const registry = await testRegistry();
    const blob = registry.pushBlob('content');
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    const data = (text: string): string => Buffer.from(text).toString('base64');
    expect(String(await source.getBlob({ ...blob, data: data('content') }, 100))).toBe('content');
    expect(registry.requests).toHaveLength(0);
    expect(String(await source.getBlob({ ...blob, data: data('CONTENT') }, 100))).toBe('content');
    expect(registry.requests).toHaveLength(1);
  });
});

describe('referrers', () => {
  it('are those of the API and of the tag, each once', async () => {
    const registry = await testRegistry();
    const { index } = pushImage(registry, repository, { tag: 'sm70' });
    const signed = pushReferrer(registry, repository, index, { artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json' });
    const tagged = { ...pushReferrer(registry, 'elsewhere', index, { artifactType: 'a/b', note: 'by tag' }) };
    const list = { schemaVersion: 2, mediaType: types.index, manifests: [signed, tagged] };
    registry.pushManifest(repository, list, { tag: index.digest.replace(':', '-') });
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    const found = await source.listReferrers(index.digest);
    expect(found.map(({ digest }) => digest).toSorted()).toEqual([signed.digest, tagged.digest].toSorted());
    expect(found.find(({ digest }) => digest === signed.digest)).toMatchObject({
      artifactType: signed.artifactType,
      mediaType: types.manifest,
    });
  });

  it('are none only when API and tag both say so', async () => {
    const registry = await testRegistry();
    const { index } = pushImage(registry, repository, { tag: 'sm70' });
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    expect(await source.listReferrers(index.digest)).toEqual([]);
    registry.fault(/\/manifests\/sha256-/, (_, response) => answerJson(response, 503, {}));
    await expect(source.listReferrers(index.digest)).rejects.toMatchObject({ code: 'RegistryFailed' });
  });

  it('are found by the tag alone in a registry without the API, which is asked for it once', async () => {
    const registry = await testRegistry({ hasReferrers: false });
    const { index, manifest } = pushImage(registry, repository, { tag: 'sm70' });
    const signed = pushReferrer(registry, repository, index, { artifactType: 'a/b' });
    registry.pushManifest(
      repository,
      { schemaVersion: 2, mediaType: types.index, manifests: [signed] },
      { tag: index.digest.replace(':', '-') },
    );
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    expect(await source.listReferrers(index.digest)).toEqual([signed]);
    expect(await source.listReferrers(manifest.digest)).toEqual([]);
    expect(registry.requests.filter(({ path }) => path.includes('/referrers/'))).toHaveLength(1);
  });

  it('are followed from page to page', async () => {
    const registry = await testRegistry({ referrersPerPage: 2 });
    const { index } = pushImage(registry, repository, { tag: 'sm70' });
    const all = ['a', 'b', 'c', 'd', 'e'].map((note) => pushReferrer(registry, repository, index, { artifactType: 'a/b', note }));
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    expect((await source.listReferrers(index.digest)).map(({ digest }) => digest)).toEqual(all.map(({ digest }) => digest));
    expect(registry.requests.filter(({ path }) => path.includes('/referrers/'))).toHaveLength(3);
  });

  it.each([
    [
      'a page on another host',
      { link: '<http://localhost:1/v2/llm/candle/referrers/x>; rel="next"' },
      'the next page is said to be elsewhere',
    ],
    ['a page outside the list', { link: '</v2/other/referrers/x>; rel="next"' }, 'the next page is said to be elsewhere'],
    ['pages without end', { link: '<?last=1>; rel="next"' }, 'there are more than 20 pages'],
    ['a list that left some out', { 'oci-filters-applied': 'artifactType' }, 'it left some out, unasked: artifactType'],
  ])('are an error with %s', async (_, headers, detail) => {
    const registry = await testRegistry();
    const { index } = pushImage(registry, repository, { tag: 'sm70' });
    registry.fault(/\/referrers\//, (__, response) =>
      answerJson(response, 200, { schemaVersion: 2, manifests: [] }, { 'content-type': types.index, ...headers }),
    );
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    await expect(source.listReferrers(index.digest)).rejects.toMatchObject({
      code: 'RegistryAnswerInvalid',
      detail: expect.stringContaining(detail),
    });
  });

  it.each([
    ['a web page', 'text/html', '<html>Log in</html>'],
    ['something else', 'application/json', '{"hello": 1}'],
    ['no JSON', types.index, '{'],
  ])('are an error where the answer is %s', async (_, type, body) => {
    const registry = await testRegistry();
    registry.fault(/\/referrers\//, (__, response) => response.writeHead(200, { 'content-type': type }).end(body));
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    await expect(source.listReferrers(`sha256:${'0'.repeat(64)}`)).rejects.toMatchObject({ code: 'RegistryAnswerInvalid' });
  });
});

describe('a registry that cannot answer now', () => {
  it('is asked again, after as long as it says', async () => {
    const registry = await testRegistry();
    pushImage(registry, repository, { tag: 'sm70' });
    const { clock, pausesMs } = impatientClock();
    registry.fault(/./, (_, response) => answerJson(response, 429, {}, { 'retry-after': '7' }), 1);
    registry.fault(/./, (_, response) => answerJson(response, 503, {}), 1);
    const source = testClient([reach(registry)], { clock }).source({ registry: registry.host, repository });
    expect(await source.getManifest('sm70')).toBeDefined();
    expect(registry.requests.map(({ status }) => status)).toEqual([503, 429, 200]);
    expect(pausesMs).toEqual([500, 7_000]);
  });

  it('is not waited for longer than makes sense', async () => {
    const registry = await testRegistry();
    registry.fault(/./, (_, response) => answerJson(response, 429, {}, { 'retry-after': '3600' }));
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryRateLimited',
      message: `${registry.host} answered 429 when asked for manifest sm70 of ${registry.host}/${repository}`,
      detail: expect.stringContaining('Retry-After: 3600'),
    });
    expect(registry.requests).toHaveLength(1);
  });

  it.each([500, 502, 503, 504])('is an error after three times %i', async (status) => {
    const registry = await testRegistry();
    registry.fault(/./, (_, response) => answerJson(response, status, { errors: [{ code: 'UNKNOWN', message: 'disk full' }] }));
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryFailed',
      exitCode: 3,
      detail: expect.stringContaining('UNKNOWN: disk full'),
    });
    expect(registry.requests).toHaveLength(3);
  });

  it('is asked again where the connection broke, also in the midst of a document', async () => {
    const registry = await testRegistry();
    const { index } = pushImage(registry, repository, { tag: 'sm70' });
    registry.fault(/./, (_, response) => response.writeHead(200, { 'content-length': 500 }).write('{', () => response.destroy()), 1);
    registry.fault(/./, (request) => request.socket.destroy(), 1);
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    expect(await source.getManifest('sm70')).toMatchObject({ digest: index.digest });
    expect(registry.requests).toHaveLength(3);
  });
});
