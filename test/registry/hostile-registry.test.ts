import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import type { BlobDescriptor, ImageSource } from '../../src/registry/image-source.ts';
import { sha256 } from '../registry-server/content.ts';
import { pushImage, types } from '../registry-server/images.ts';
import type { RegistryOptions, TestRegistry } from '../registry-server/registry-server.ts';
import { reach, testClient, testRegistry, type TestClient } from './client.ts';

const repository = 'llm/candle';
const absent: BlobDescriptor = { digest: sha256(Buffer.from('right')), size: 5 };

const hostile = async (
  options: RegistryOptions = {},
  settings: Parameters<typeof testClient>[1] = {},
): Promise<{ readonly registry: TestRegistry; readonly client: TestClient; readonly source: ImageSource }> => {
  const registry = await testRegistry(options);
  const client = testClient([reach(registry)], settings);
  return { registry, client, source: client.source({ registry: registry.host, repository }) };
};

/** Asks in each of the three ways for content whose digest is known. */
const readers: readonly [string, (source: ImageSource) => Promise<unknown>][] = [
  ['a manifest', (source) => source.getManifest(absent.digest)],
  ['a blob', (source) => source.getBlob(absent, 100)],
  [
    'a stream',
    async (source) => {
      const stream = await source.openBlob(absent);
      return stream === undefined ? undefined : await buffer(stream);
    },
  ],
];

describe('a digest that does not match', () => {
  it.each(readers)('is never believed of %s', async (_, read) => {
    const { registry, source } = await hostile();
    registry.fault(/./, (__, response) => response.writeHead(200, { 'content-type': types.manifest }).end('wrong'));
    await expect(read(source)).rejects.toMatchObject({
      code: 'DigestMismatch',
      exitCode: 3,
      nextSteps: [expect.stringContaining('changes contents')],
    });
  });

  it('is noticed also where only the registry itself states it, for a tag', async () => {
    const { registry, source } = await hostile();
    const { index } = pushImage(registry, repository, { tag: 'sm70' });
    registry.fault(/./, (_, response) =>
      response
        .writeHead(200, { 'content-type': types.index, 'docker-content-digest': index.digest })
        .end('{"schemaVersion":2,"manifests":[]}'),
    );
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'DigestMismatch',
      detail: expect.stringContaining(`expected ${index.digest}`),
    });
  });

  it('ends a stream with an error, however late it shows', async () => {
    const { registry, source } = await hostile();
    const right = Buffer.alloc(1_000_000, 'a');
    const blob = registry.pushBlob(right);
    registry.fault(/blobs/, (_, response) => response.end(Buffer.concat([right.subarray(1), Buffer.from('b')])));
    const stream = await source.openBlob(blob);
    let received = 0;
    await expect(
      (async () => {
        for await (const chunk of stream ?? []) received += (chunk as Buffer).length;
      })(),
    ).rejects.toMatchObject({ code: 'DigestMismatch' });
    expect(received).toBe(1_000_000);
  });

  it.each([
    ['fewer', 'righ'],
    ['more', 'right!'],
  ])('is what %s bytes than promised are', async (_, text) => {
    const { registry, source } = await hostile();
    for (const headers of [{ 'content-length': text.length }, {}]) {
      registry.fault(/./, (__, response) => response.writeHead(200, headers).end(text));
      await expect(source.getBlob(absent, 100)).rejects.toMatchObject({ code: 'DigestMismatch' });
    }
  });
});

describe('a body without an end', () => {
  const endless = (response: ServerResponse, type: string): void => {
    response.writeHead(200, { 'content-type': type });
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(100_000)));
      response.once('drain', more);
    };
    more();
  };

  it.each([
    ['a manifest', (source: ImageSource) => source.getManifest('sm70'), 'ContentTooLarge', 6_000_000],
    ['referrers', (source: ImageSource) => source.listReferrers(absent.digest), 'ContentTooLarge', 12_000_000],
    ['a blob', (source: ImageSource) => source.getBlob(absent, 100), 'DigestMismatch', 200_000],
  ])('is cut off: %s', async (_, read, code, atMostBytes) => {
    const { registry, client, source } = await hostile();
    registry.fault(/./, (__, response) => endless(response, types.index));
    await expect(read(source)).rejects.toMatchObject({ code });
    expect(client.records.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0)).toBeLessThan(atMostBytes);
  });

  it('is cut off in an error, too', async () => {
    const { registry, client, source } = await hostile({}, { limits: { attempts: 1 } });
    registry.fault(/./, (_, response) => {
      response.statusCode = 500;
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
        response.once('drain', more);
      };
      more();
    });
    await expect(source.getManifest('sm70')).rejects.toMatchObject({ code: 'RegistryFailed' });
    expect(client.records[0]?.bodyBytes).toBeLessThan(200_000);
  });
});

describe('a manifest of 20 MB', () => {
  it.each([
    ['that says so', true],
    ['that does not', false],
  ])('is not read, one %s', async (_, saysSo) => {
    const { registry, client, source } = await hostile();
    const bytes = Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests: [], annotations: { a: 'x'.repeat(20_000_000) } }),
    );
    registry.fault(/./, (__, response) =>
      response.writeHead(200, { 'content-type': types.index, ...(saysSo ? { 'content-length': bytes.length } : {}) }).end(bytes),
    );
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'ContentTooLarge',
      message: expect.stringContaining('is longer than 4194304 bytes'),
    });
    expect(client.records[0]?.bodyBytes).toBeLessThan(saysSo ? 200_000 : 5_000_000);
  });
});

describe('a gzip bomb', () => {
  it('is not unpacked: a compressed document is refused, a blob is what its bytes are', async () => {
    const { registry, client, source } = await hostile();
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    registry.fault(/./, (_, response) => response.writeHead(200, { 'content-type': types.index, 'content-encoding': 'gzip' }).end(bomb));
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryAnswerInvalid',
      message: `${registry.host} sends manifest sm70 of ${source.name} compressed (gzip), although it was asked not to`,
    });
    const blob = { digest: sha256(bomb), size: bomb.length };
    expect((await source.getBlob(blob, 100_000))?.length).toBe(bomb.length);
    expect(Math.max(...client.records.map(({ bodyBytes }) => bodyBytes))).toBeLessThanOrEqual(bomb.length);
  });
});

describe('redirects', () => {
  const users = { me: 'hunter2' };
  const credentials = async () => ({
    credentials: [{ kind: 'password', username: 'me', password: 'hunter2', origin: 'x' } as const],
    looked: [],
  });

  it('are followed to a store elsewhere, which is not told who asks', async () => {
    const store = await testRegistry();
    const { registry, client, source } = await hostile({ auth: { kind: 'basic', users } }, { credentials });
    const blob = store.pushBlob('content');
    registry.pushBlob('content');
    await source.getBlob(absent, 100);
    registry.fault(/blobs/, (_, response) =>
      response.writeHead(307, { location: `http://localhost:${store.port}/v2/x/blobs/${blob.digest}?X-Amz-Signature=hunter2` }).end(),
    );
    expect(String(await source.getBlob(blob, 100))).toBe('content');
    expect(store.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(client.records.at(-1)?.url).toBe(`http://localhost:${store.port}/v2/x/blobs/${blob.digest}?X-Amz-Signature=...`);
  });

  it('keep telling who asks within the same origin', async () => {
    const { registry, source } = await hostile({ auth: { kind: 'basic', users } }, { credentials });
    const blob = registry.pushBlob('content');
    await source.getBlob(absent, 100);
    registry.fault(/llm.*blobs/, (_, response) => response.writeHead(302, { location: `/v2/other/blobs/${blob.digest}` }).end());
    expect(String(await source.getBlob(blob, 100))).toBe('content');
  });

  it('do not tell a third origin what the first was told, even on the way back', async () => {
    const other = await testRegistry();
    const { registry, source } = await hostile({ auth: { kind: 'basic', users } }, { credentials });
    const blob = registry.pushBlob('content');
    await source.getBlob(absent, 100);
    registry.fault(/llm.*blobs/, (_, response) => response.writeHead(302, { location: `http://localhost:${other.port}/away` }).end());
    other.fault(/./, (_, response) => response.writeHead(302, { location: `${registry.url}/v2/other/blobs/${blob.digest}` }).end());
    await expect(source.getBlob(blob, 100)).rejects.toMatchObject({ code: 'RegistryUnauthorized' });
    expect(registry.requests.filter(({ path }) => path.startsWith('/v2/other')).map(({ headers }) => headers.authorization)).toEqual(
      registry.requests.filter(({ path }) => path.startsWith('/v2/other')).map(() => undefined),
    );
  });

  it('in a loop are an error, which says which way it went', async () => {
    const { registry, source } = await hostile();
    registry.fault(/./, (request, response) => response.writeHead(302, { location: `/v2/again?n=${request.url ?? ''}` }).end());
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RedirectRefused',
      message: expect.stringContaining('it is sent on more than 5 times'),
      detail: expect.stringContaining('-> '),
    });
    expect(registry.requests).toHaveLength(6);
  });

  it('from TLS to plain HTTP are refused', async () => {
    const { registry, source } = await hostile({ tls: true });
    registry.fault(/./, (_, response) => response.writeHead(307, { location: `http://127.0.0.1:1/` }).end());
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RedirectRefused',
      message: expect.stringContaining('from TLS to plain HTTP'),
    });
  });

  it.each([
    ['nowhere', {}, 'the answer does not say where'],
    ['a file', { location: 'file:///etc/passwd' }, 'it is sent on to file:'],
  ])('to %s are refused', async (_, headers, why) => {
    const { registry, source } = await hostile();
    registry.fault(/./, (__, response) => response.writeHead(302, headers).end());
    await expect(source.getManifest('sm70')).rejects.toMatchObject({ code: 'RedirectRefused', message: expect.stringContaining(why) });
  });

  it('to a store that refuses are not taken for a refusal by the registry', async () => {
    const { registry, source } = await hostile();
    const store = await testRegistry();
    store.fault(/./, (_, response) =>
      response.writeHead(403, { 'content-type': 'application/xml' }).end('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
    );
    registry.fault(/./, (_, response) => response.writeHead(307, { location: `http://localhost:${store.port}/x?sig=hunter2` }).end());
    await expect(source.getBlob(absent, 100)).rejects.toMatchObject({
      code: 'RegistryForbidden',
      message: expect.stringContaining(`localhost:${store.port}, where ${registry.host} sends to, refuses`),
      detail: `http://localhost:${store.port}/x?sig=...\n403 AccessDenied`,
    });
  });
});

describe('a web page in place of an answer', () => {
  const page = '<!DOCTYPE html><html><head><title>Log in</title></head><body>\u001b[2J<b>Please</b> log in</body></html>';

  it.each([
    [200, 'RegistryAnswerInvalid'],
    [404, 'RegistryAnswerInvalid'],
    [500, 'RegistryFailed'],
    [400, 'RegistryAnswerInvalid'],
  ])('with %i is an error, never "not there", and is quoted as text', async (status, code) => {
    const { registry, source } = await hostile();
    registry.fault(/./, (_, response) => response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page));
    for (const read of [() => source.getManifest('sm70'), () => source.listReferrers(absent.digest)]) {
      await expect(read()).rejects.toMatchObject({ code, detail: expect.stringContaining('Log in Please log in') });
    }
    if (status === 404) await expect(source.getBlob(absent, 100)).rejects.toMatchObject({ code });
  });
});

describe('a wrong content type', () => {
  const index = { schemaVersion: 2, manifests: [] };
  it.each([
    ['none', undefined, index, 'nothing says what it is'],
    ['that of no manifest', 'application/json', index, 'it is called application/json'],
    ['that of another kind', types.manifest, { ...index, mediaType: types.index }, 'and the source calls it'],
    ['an artifact of nobody', 'application/x-evil', index, 'it is called application/x-evil'],
    [
      "that of Docker's first format",
      'application/vnd.docker.distribution.manifest.v1+prettyjws',
      { schemaVersion: 1 },
      "Docker's first format",
    ],
  ])('%s: refused', async (_, type, document, why) => {
    const { registry, source } = await hostile();
    registry.fault(/./, (__, response) =>
      response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(JSON.stringify(document)),
    );
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryAnswerInvalid',
      message: expect.stringContaining(why),
    });
  });

  it.each([
    ['both an index and an image', { schemaVersion: 2, mediaType: types.index, manifests: [], layers: [] }, 'can be read both'],
    [
      'an image that calls itself an index',
      { schemaVersion: 2, mediaType: types.index, config: {}, layers: [] },
      'has the fields of the other kind',
    ],
    [
      'an index that calls itself an image',
      { schemaVersion: 2, mediaType: types.manifest, manifests: [] },
      'has the fields of the other kind',
    ],
    ['no object', [], 'is JSON, but no object'],
  ])('%s: refused', async (_, document, why) => {
    const { registry, source } = await hostile();
    registry.fault(/./, (__, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document)));
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryAnswerInvalid',
      message: expect.stringContaining(why),
    });
  });

  it('that says less than the document does no harm', async () => {
    const { registry, source } = await hostile();
    const { index: pushed } = pushImage(registry, repository);
    registry.pushManifest(repository, registry.content.getManifest(repository, pushed.digest)?.bytes ?? Buffer.alloc(0), {
      tag: 'sm70',
      mediaType: 'application/json; charset=utf-8',
    });
    expect(await source.getManifest('sm70')).toMatchObject({ mediaType: types.index, digest: pushed.digest });
  });
});

describe('a registry that is too slow', () => {
  /** Moves time only when told so. */
  const stoppedClock = (): VirtualClock => {
    const clock = new VirtualClock(0);
    clock.takeOver();
    return clock;
  };

  it('to answer at all is given up', async () => {
    const clock = stoppedClock();
    const { registry, source } = await hostile({}, { clock });
    const asked = new Promise<void>((resolve) => registry.fault(/./, () => resolve()));
    const answer = source.getManifest('sm70');
    await asked;
    clock.advanceTo(29_999);
    clock.advanceTo(30_000);
    await expect(answer).rejects.toMatchObject({
      code: 'RegistryTimeout',
      message: `${registry.host} is too slow: manifest sm70 of ${source.name} was given up`,
      detail: `${registry.url}/v2/${repository}/manifests/sm70\nno answer within 30 s`,
    });
  });

  it('dripping byte after byte is given up, although it never pauses', async () => {
    const clock = stoppedClock();
    const { registry, source } = await hostile({}, { clock });
    const blob = { digest: absent.digest, size: 1_000_000 };
    let drips: ServerResponse | undefined;
    registry.fault(/./, (_, response) => {
      drips = response;
      response.writeHead(200, { 'content-length': blob.size }).write('x');
    });
    const stream = await source.openBlob(blob);
    const iterator = stream?.[Symbol.asyncIterator]();
    // One byte every ten seconds: patience is at an end after thirty, give or take what was read ahead.
    const drip = async (): Promise<number> => {
      for (let seconds = 0; seconds < 200; seconds += 10) {
        const next = iterator?.next();
        next?.catch(() => undefined);
        await new Promise((resolve) => setImmediate(resolve));
        clock.advanceTo(clock.now() + 10_000);
        drips?.write('x');
        await next;
      }
      return clock.now();
    };
    await expect(drip()).rejects.toMatchObject({
      code: 'RegistryTimeout',
      detail: expect.stringContaining('less than 1024 bytes a second, for 30 s'),
    });
    expect(clock.now()).toBeLessThanOrEqual(60_000);
  });

  it('in each part, and so as a whole, is given up', async () => {
    const clock = stoppedClock();
    const { registry, source } = await hostile({}, { clock, limits: { documentMs: 20_000 } });
    const asked = new Promise<void>((resolve) => registry.fault(/./, (_, response) => response.writeHead(200).write('{', () => resolve())));
    const answer = source.getManifest('sm70');
    await asked;
    clock.advanceTo(20_000);
    await expect(answer).rejects.toMatchObject({
      code: 'RegistryTimeout',
      message: `manifest sm70 of ${source.name}: no whole answer within 20 s`,
    });
  });

  it('is not kept waiting by a stream that nobody reads, or whose length is wrong', async () => {
    const { registry, client, source } = await hostile();
    const closed: Promise<void>[] = [];
    registry.fault(/./, (_, response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)));
      response.writeHead(200, { 'content-length': absent.size }).write('r');
    });
    (await source.openBlob(absent))?.destroy();
    await expect(source.openBlob({ ...absent, size: 6 })).rejects.toMatchObject({ code: 'DigestMismatch' });
    await expect(source.getBlob({ ...absent, size: 6 }, 10)).rejects.toMatchObject({ code: 'DigestMismatch' });
    await Promise.all(closed);
    expect(client.records.map(({ status, problem }) => [status, problem])).toEqual([
      [200, 'it was not waited for'],
      [200, 'it was not waited for'],
      [200, 'it was not waited for'],
    ]);
  });

  it('is left at once when whoever asked goes away', async () => {
    const { registry, client, source } = await hostile();
    const controller = new AbortController();
    const reason = new Error('interrupted');
    registry.fault(/./, () => controller.abort(reason));
    await expect(source.getManifest('sm70', controller.signal)).rejects.toBe(reason);
    await expect(source.openBlob(absent, controller.signal)).rejects.toBe(reason);
    expect(client.records).toHaveLength(1);
  });
});

describe('a registry that is not there', () => {
  it('is an error that says so', async () => {
    const { registry, source } = await hostile();
    await registry.stop();
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryUnreachable',
      exitCode: 3,
      message: `nothing listens at ${registry.host}: manifest sm70 of ${source.name} was not answered`,
      nextSteps: ['is the registry running, and its name and port right?'],
    });
  });

  it('by name is an error that says so', async () => {
    const source = testClient([]).source({ registry: 'no-such-registry.invalid', repository });
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryUnreachable',
      message: expect.stringContaining('the name no-such-registry.invalid cannot be resolved'),
    });
  });

  it('or whose header has no end is an error', async () => {
    const { registry, source } = await hostile();
    registry.fault(/./, (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end());
    await expect(source.getManifest('sm70')).rejects.toMatchObject({ code: 'RegistryAnswerInvalid' });
  });

  it('or does not speak HTTP is an error', async () => {
    const { registry, source } = await hostile();
    registry.fault(/./, (request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    await expect(source.getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryAnswerInvalid',
      message: expect.stringContaining('does not speak HTTP'),
    });
  });
});

describe('what is asked for', () => {
  it.each(['../../../etc/passwd', 'a/b', '', 'sm70?x=1', `sha256:../${'0'.repeat(60)}`])(
    'cannot leave the repository: %j',
    async (reference) => {
      const { registry, source } = await hostile();
      await expect(source.getManifest(reference)).rejects.toThrow(/no tag|no digest/);
      await expect(source.getBlob({ digest: reference, size: 1 }, 10)).rejects.toThrow(/no digest/);
      expect(registry.requests).toEqual([]);
    },
  );

  it('is not asked for where it is longer than may be read', async () => {
    const { registry, source } = await hostile();
    await expect(source.getBlob({ ...absent, size: 101 }, 100)).rejects.toMatchObject({ code: 'ContentTooLarge' });
    expect(registry.requests).toEqual([]);
  });
});
