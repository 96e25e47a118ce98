import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Credential, CredentialLookup } from '../../src/registry/credentials/credential.ts';
import { isPrivateAddress } from '../../src/registry/http/private-address.ts';
import { answerJson } from '../registry-server/answers.ts';
import { pushImage } from '../registry-server/images.ts';
import type { TestRegistry } from '../registry-server/registry-server.ts';
import { impatientClock, reach, testClient, testRegistry } from './client.ts';

const repository = 'llm/candle';
/** This machine's name is as a rule one that leads to a private address. */
const ownAddress = await lookup(hostname()).then(
  ({ address }) => address,
  () => undefined,
);
const users = { me: 'hunter2' };

const password = (username: string, secret: string, origin = 'a file'): Credential => ({
  kind: 'password',
  username,
  password: secret,
  origin,
});

const logIn = (
  ...credentials: readonly Credential[]
): { readonly credentials: CredentialLookup; readonly asked: { host: string; repository: string }[] } => {
  const asked: { host: string; repository: string }[] = [];
  return {
    asked,
    credentials: async (target) => {
      asked.push({ ...target });
      return { credentials, looked: credentials.length === 0 ? ['~/.docker/config.json: there is no such file'] : [] };
    },
  };
};

const tokenRequests = (registry: TestRegistry): readonly string[] =>
  registry.requests.filter(({ path }) => path.startsWith('/token')).map(({ method, path }) => `${method} ${path}`);

describe('a registry that lets anyone pull, with a token', () => {
  it('gives one for all that follows, to pull this repository and nothing else', async () => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true } });
    const { index, manifest, config } = pushImage(registry, repository, { tag: 'sm70' });
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    expect(await source.getManifest('sm70')).toMatchObject({ digest: index.digest });
    expect(await source.getManifest(manifest.digest)).toBeDefined();
    expect(await source.getBlob(config, 10_000)).toBeDefined();
    expect(tokenRequests(registry)).toEqual(['GET /token?service=test+registry&scope=repository%3Allm%2Fcandle%3Apull']);
    expect(registry.requests.map(({ status }) => status)).toEqual([401, 200, 200, 200, 200]);
  });

  it('gives one token to requests at the same time', async () => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true } });
    const { index, manifest } = pushImage(registry, repository, { tag: 'sm70' });
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    const all = await Promise.all(['sm70', index.digest, manifest.digest].map((each) => source.getManifest(each)));
    expect(all.every((each) => each !== undefined)).toBe(true);
    expect(tokenRequests(registry)).toHaveLength(1);
  });

  it('is asked for a new token once the old one has run out, or was taken back', async () => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true, expiresInSeconds: 60 } });
    pushImage(registry, repository, { tag: 'sm70' });
    let nowMs = 0;
    const clock = { ...impatientClock().clock, monotonicMs: () => nowMs };
    const source = testClient([reach(registry)], { clock }).source({ registry: registry.host, repository });
    await source.getManifest('sm70');
    nowMs = 56_000;
    await source.getManifest('sm70');
    expect(registry.requests.map(({ status }) => status)).toEqual([401, 200, 200, 200, 200]);
    registry.revokeTokens();
    await source.getManifest('sm70');
    expect(registry.requests.map(({ status }) => status).slice(5)).toEqual([401, 200, 200]);
  });
});

describe('a registry that wants to know who asks', () => {
  it('by Basic is told the password after it asked, and then at once', async () => {
    const registry = await testRegistry({ auth: { kind: 'basic', users } });
    pushImage(registry, repository, { tag: 'sm70' });
    const { credentials, asked } = logIn(password('me', 'hunter2'));
    const source = testClient([reach(registry)], { credentials }).source({ registry: registry.host, repository });
    await source.getManifest('sm70');
    await source.getManifest('sm70');
    expect(registry.requests.map(({ status, headers }) => [status, headers.authorization])).toEqual([
      [401, undefined],
      [200, `Basic ${Buffer.from('me:hunter2').toString('base64')}`],
      [200, `Basic ${Buffer.from('me:hunter2').toString('base64')}`],
    ]);
    expect(asked).toEqual([{ host: registry.host, repository }]);
  });

  it('by token sees the password at its token server only', async () => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: false } });
    pushImage(registry, repository, { tag: 'sm70' });
    const { credentials } = logIn(password('me', 'hunter2'));
    await testClient([reach(registry)], { credentials })
      .source({ registry: registry.host, repository })
      .getManifest('sm70');
    expect(registry.requests.map(({ path, headers }) => [path.split('?')[0], headers.authorization?.split(' ')[0]])).toEqual([
      ['/v2/llm/candle/manifests/sm70', undefined],
      ['/token', 'Basic'],
      ['/v2/llm/candle/manifests/sm70', 'Bearer'],
    ]);
  });

  it('takes an identity token by POST, and a password so where GET is refused', async () => {
    const registry = await testRegistry({
      auth: { kind: 'token', users, letsAnyonePull: false, refreshTokens: ['refresh'], refusesGet: true },
    });
    pushImage(registry, repository, { tag: 'sm70' });
    const where = { registry: registry.host, repository };
    const identity = logIn({ kind: 'identity-token', token: 'refresh', origin: 'a file' });
    expect(
      await testClient([reach(registry)], identity)
        .source(where)
        .getManifest('sm70'),
    ).toBeDefined();
    expect(tokenRequests(registry)).toEqual(['POST /token']);
    expect(
      await testClient([reach(registry)], logIn(password('me', 'hunter2')))
        .source(where)
        .getManifest('sm70'),
    ).toBeDefined();
    expect(
      tokenRequests(registry)
        .slice(1)
        .map((each) => each.split('?')[0]),
    ).toEqual(['GET /token', 'POST /token']);
  });

  it.each(['basic', 'token'] as const)('is tried with every credential in turn, by %s', async (kind) => {
    const registry = await testRegistry({ auth: kind === 'basic' ? { kind, users } : { kind, users, letsAnyonePull: false } });
    pushImage(registry, repository, { tag: 'sm70' });
    const { credentials } = logIn(password('old', 'x'), password('me', 'wrong'), password('me', 'hunter2'), password('never', 'tried'));
    const source = testClient([reach(registry)], { credentials }).source({ registry: registry.host, repository });
    expect(await source.getManifest('sm70')).toBeDefined();
    await source.getManifest('sm70');
    const tried = registry.requests.map(({ headers }) => headers.authorization ?? '').filter((each) => each.startsWith('Basic '));
    expect(new Set(tried.map((each) => Buffer.from(each.slice(6), 'base64').toString()))).toEqual(
      new Set(['old:x', 'me:wrong', 'me:hunter2']),
    );
  });

  it('says who was tried, and where, when nobody is let in', async () => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: false } });
    pushImage(registry, repository, { tag: 'sm70' });
    const { credentials } = logIn(password('me', 'wrong-secret', 'Secret llm/pull (r.example)'), password('you', 'other-secret', 'a file'));
    const client = testClient([reach(registry)], { credentials });
    const error = (await client
      .source({ registry: registry.host, repository })
      .getManifest('sm70')
      .catch((each: unknown) => each)) as Error;
    expect(error).toMatchObject({
      code: 'RegistryUnauthorized',
      exitCode: 3,
      message: `${registry.host} takes none of the credentials that there are for manifest sm70 of ${registry.host}/${repository}`,
      detail: [
        `${registry.url}/v2/${repository}/manifests/sm70`,
        '401 UNAUTHORIZED: authentication required',
        'with the credentials of Secret llm/pull (r.example): the token server said 401 UNAUTHORIZED: incorrect username or password',
        'with the credentials of a file: the token server said 401 UNAUTHORIZED: incorrect username or password',
      ].join('\n'),
      nextSteps: [
        `log in, and ask again: docker login ${registry.host} (or podman login ${registry.host})`,
        'is the name right? some registries say so of what does not exist, too',
        'a node may pull it all the same: its own credential plugins cannot be seen from here',
      ],
    });
  });

  it('is asked anew for the next thing, after it let nobody in', async () => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true } });
    pushImage(registry, repository, { tag: 'sm70' });
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    registry.fault(/^\/token/, (_, response) => answerJson(response, 401, {}), 1);
    await expect(source.getManifest('sm70')).rejects.toMatchObject({ code: 'RegistryUnauthorized' });
    expect(await source.getManifest('sm70')).toBeDefined();
  });

  it('says where it was looked, when there is nothing to try', async () => {
    const registry = await testRegistry({ auth: { kind: 'basic', users } });
    const client = testClient([reach(registry)], logIn());
    await expect(client.source({ registry: registry.host, repository }).getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryUnauthorized',
      message: `${registry.host} gives manifest sm70 of ${registry.host}/${repository} to those only whom it knows, and there are no credentials for it`,
      detail: expect.stringContaining('~/.docker/config.json: there is no such file'),
    });
  });

  it('can forbid one thing without that all else is lost', async () => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true } });
    const { index } = pushImage(registry, repository, { tag: 'sm70' });
    const source = testClient([reach(registry)]).source({ registry: registry.host, repository });
    await source.getManifest('sm70');
    registry.fault(/\/referrers\//, (_, response) => answerJson(response, 403, { errors: [{ code: 'DENIED', message: 'no' }] }));
    await expect(source.listReferrers(index.digest)).rejects.toMatchObject({ code: 'RegistryForbidden' });
    expect(await source.getManifest('sm70')).toBeDefined();
    expect(tokenRequests(registry)).toHaveLength(1);
  });
});

describe('a token server', () => {
  it.each([
    ['http://10.1.2.3/token', 'it has a private address', '--private-realm'],
    ['http://localhost:1/token', 'it has a private address', '--private-realm'],
    ['http://[::1]:1/token', 'it has a private address', '--private-realm'],
    ['http://169.254.169.254/latest', 'it has a private address', '--private-realm'],
    ['http://me:pw@registry.example/token', 'its address holds a user', 'is'],
    ['ftp://registry.example/', '"ftp://registry.example/" is no address that can be asked', 'is'],
    ['nonsense', '"nonsense" is no address that can be asked', 'is'],
  ])('at %s is not asked', async (realm, detail, nextStep) => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true, realm } });
    const client = testClient([reach(registry)], logIn(password('me', 'hunter2')));
    await expect(client.source({ registry: registry.host, repository }).getManifest('sm70')).rejects.toMatchObject({
      code: 'TokenRealmRefused',
      detail: expect.stringContaining(detail),
      nextSteps: [expect.stringContaining(nextStep), ...(nextStep === 'is' ? [] : [expect.any(String)])],
    });
    expect(client.records.map(({ purpose }) => purpose)).toEqual(['manifest']);
  });

  it.runIf(ownAddress !== undefined && isPrivateAddress(ownAddress))(
    'at a private address that only its name leads to is not connected to',
    async () => {
      const other = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true } });
      const registry = await testRegistry({
        auth: { kind: 'token', users, letsAnyonePull: true, realm: `http://${hostname()}:${other.port}/token` },
      });
      const client = testClient([reach(registry)]);
      await expect(client.source({ registry: registry.host, repository }).getManifest('sm70')).rejects.toMatchObject({
        code: 'TokenRealmRefused',
        detail: expect.stringContaining('it has a private address'),
      });
      expect(other.requests).toEqual([]);
    },
  );

  it('at a private address is asked where that was said of the registry', async () => {
    const tokens = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true } });
    tokens.fault(/^\/token/, (_, response) => answerJson(response, 200, { token: 't' }));
    const registry = await testRegistry({
      auth: { kind: 'token', users, letsAnyonePull: true, realm: `http://localhost:${tokens.port}/token` },
    });
    const client = testClient([reach(registry, { allowsPrivateRealm: true })]);
    await expect(client.source({ registry: registry.host, repository }).getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryUnauthorized',
    });
    expect(tokens.requests).toHaveLength(1);
  });

  it('without TLS is not asked, where the registry has it', async () => {
    const registry = await testRegistry({
      tls: true,
      auth: { kind: 'token', users, letsAnyonePull: true, realm: 'http://127.0.0.1:1/token' },
    });
    await expect(
      testClient([reach(registry)])
        .source({ registry: registry.host, repository })
        .getManifest('sm70'),
    ).rejects.toMatchObject({
      code: 'TokenRealmRefused',
      detail: 'it is asked without TLS, and anyone on the way could read the password',
    });
  });

  it.each([
    ['no token', { hello: 1 }],
    ['a token that would be a header of its own', { token: 'a\r\nX-Evil: 1' }],
  ])('that gives %s is an error, which quotes nothing', async (_, answer) => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true } });
    registry.fault(/^\/token/, (__, response) => answerJson(response, 200, answer));
    const error: unknown = await testClient([reach(registry)])
      .source({ registry: registry.host, repository })
      .getManifest('sm70')
      .catch((each: unknown) => each);
    expect(error).toMatchObject({
      code: 'RegistryAnswerInvalid',
      message: `a token to pull ${repository} from ${registry.host}: the answer holds no token`,
    });
    expect(JSON.stringify(error)).not.toContain('Evil');
  });

  it('that sends on is not followed, and one that is down is an error', async () => {
    const registry = await testRegistry({ auth: { kind: 'token', users, letsAnyonePull: true } });
    registry.fault(/^\/token/, (_, response) => answerJson(response, 503, {}));
    registry.fault(/^\/token/, (_, response) => response.writeHead(307, { location: 'http://localhost:1/steal' }).end(), 1);
    const source = testClient([reach(registry)], logIn(password('me', 'hunter2'))).source({ registry: registry.host, repository });
    await expect(source.getManifest('sm70')).rejects.toMatchObject({ code: 'TokenRealmRefused' });
    await expect(source.getManifest('sm70')).rejects.toMatchObject({ code: 'RegistryFailed' });
  });
});

describe('what is written down', () => {
  it('holds no password and no token, whatever fails', async () => {
    const registry = await testRegistry({
      auth: { kind: 'token', users: { me: 'hunter2-right' }, letsAnyonePull: false, refreshTokens: [] },
    });
    pushImage(registry, repository, { tag: 'sm70' });
    const found = [
      password('me', 'hunter2-wrong'),
      { kind: 'identity-token', token: 'hunter2-id', origin: 'x' },
      { kind: 'registry-token', token: 'hunter2-reg', origin: 'y' },
    ] as const;
    const client = testClient([reach(registry)], logIn(...found));
    const error = await client
      .source({ registry: registry.host, repository })
      .getManifest('sm70')
      .catch((each: unknown) => each);
    const written = inspect([error, client.records], { depth: 20, showHidden: true });
    expect(written).toContain('RegistryUnauthorized');
    expect(written).not.toMatch(/hunter2|aHVudGVy|bWU6aHV/);
  });
});
