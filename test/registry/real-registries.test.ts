import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDescriptors } from '../../src/registry/descriptor.ts';
import type { Credential } from '../../src/registry/credentials/credential.ts';
import { hasDebianRegistry, startDebianRegistry } from '../registry-server/debian-registry.ts';
import { types } from '../registry-server/images.ts';
import { pushBlobTo, pushManifestTo, type PushTarget } from '../registry-server/push.ts';
import { startRegistry } from '../registry-server/registry-server.ts';
import { testClient } from './client.ts';

interface Subject extends PushTarget {
  readonly host: string;
  stop(): Promise<void>;
}

const account = 'poimen:open sesame';

const subjects: readonly { readonly name: string; readonly isThere: boolean; readonly start: () => Promise<Subject> }[] = [
  {
    name: "Debian's docker-registry, with a password",
    isThere: hasDebianRegistry,
    start: async () => {
      const registry = await startDebianRegistry({ wantsPassword: true });
      return { ...registry, account };
    },
  },
  {
    name: 'the registry of these tests, with a password',
    isThere: true,
    start: async () => {
      const registry = await startRegistry({ auth: { kind: 'basic', users: { poimen: 'open sesame' } } });
      return { ...registry, account };
    },
  },
];

describe.each(subjects)('$name', ({ isThere, start }) => {
  let registry: Subject;
  beforeAll(async () => {
    if (isThere) registry = await start();
  });
  afterAll(async () => {
    if (isThere) await registry.stop();
  });

  const repository = 'llm/candle';
  const right = { kind: 'password', username: 'poimen', password: 'open sesame', origin: 'a file' } as const;
  const sourceAs = (...credentials: readonly Credential[]) =>
    testClient([[registry.host, { isPlainHttp: true }]], { credentials: async () => ({ credentials, looked: [] }) }).source({
      registry: registry.host,
      repository,
    });

  const push = async (tag: string, label: string) => {
    const config = { mediaType: types.config, ...(await pushBlobTo(registry, repository, JSON.stringify({ label }))) };
    const layer = { mediaType: types.layer, ...(await pushBlobTo(registry, repository, `layer ${label}`)) };
    const image = { schemaVersion: 2, mediaType: types.manifest, config, layers: [layer] };
    const manifest = await pushManifestTo(registry, repository, image);
    const index = await pushManifestTo(
      registry,
      repository,
      { schemaVersion: 2, mediaType: types.index, manifests: [manifest] } as never,
      tag,
    );
    return { index, manifest, config, layer };
  };

  it.runIf(isThere)('gives what was pushed, from the tag down to the config', async () => {
    const pushed = await push('sm70', 'f3c00b2');
    const source = sourceAs(right);
    const index = await source.getManifest('sm70');
    expect(index).toMatchObject(pushed.index);
    const [child] = index === undefined ? [] : (readDescriptors(index.document, 'manifests') ?? []);
    expect(await source.getManifest(child?.digest ?? '')).toMatchObject(pushed.manifest);
    expect(String(await source.getBlob(pushed.config, 1_000))).toBe('{"label":"f3c00b2"}');
  });

  it.runIf(isThere)('says that what is not there is not there', async () => {
    const source = sourceAs(right);
    const digest = `sha256:${'0'.repeat(64)}`;
    expect([await source.getManifest('none'), await source.getManifest(digest), await source.getBlob({ digest, size: 1 }, 10)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.runIf(isThere)('finds referrers, by API or by tag', async () => {
    const { index } = await push('signed', 'signed');
    const source = sourceAs(right);
    expect(await source.listReferrers(index.digest)).toEqual([]);
    const empty = { mediaType: types.empty, ...(await pushBlobTo(registry, repository, '{}')) };
    const artifact = { schemaVersion: 2, mediaType: types.manifest, artifactType: 'a/b', config: empty, layers: [empty], subject: index };
    const signed = { ...(await pushManifestTo(registry, repository, artifact)), artifactType: 'a/b' };
    // As a client does that was not told OCI-Subject.
    const list = { schemaVersion: 2, mediaType: types.index, manifests: [signed] };
    await pushManifestTo(registry, repository, list, index.digest.replace(':', '-'));
    expect(await source.listReferrers(index.digest)).toEqual([signed]);
  });

  it.runIf(isThere)('lets nobody in without a password, or with a wrong one', async () => {
    await expect(sourceAs().getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryUnauthorized',
      message: expect.stringContaining('there are no credentials'),
    });
    await expect(sourceAs({ ...right, password: 'wrong' }).getManifest('sm70')).rejects.toMatchObject({
      code: 'RegistryUnauthorized',
      message: expect.stringContaining('takes none of the credentials'),
      detail: expect.stringContaining('with the credentials of a file: 401 UNAUTHORIZED'),
    });
  });
});
