import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { pod } from '../objects.ts';
import { connectTo, temporaryFolder, writeKubeconfig } from './connect.ts';
import { json, startFaultyServer, status, type Answer, type FaultyServer } from './faulty-server.ts';

const reference = { resource: resources.pods, namespace: 'llm-serving', name: 'a' };
const found = json(200, pod('a', '7'));
const unauthorized = status(401, 'Unauthorized');

const answerLater = (answer: Answer): readonly [Answer, () => void] => {
  let give = (): void => undefined;
  return [(response, reset) => (give = () => answer(response, reset)), () => give()];
};

const tokensSeen = ({ seen }: FaultyServer) => seen.map(({ headers }) => headers['authorization']);

/** A plugin that gives another token each time and notes what it was told. */
const writePlugin = async (extra = ''): Promise<{ readonly exec: Readonly<Record<string, unknown>>; readonly folder: string }> => {
  const folder = await temporaryFolder();
  const command = join(folder, 'plugin');
  const credential = `{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"token": "token-$count"${extra}}}`;
  await writeFile(
    command,
    `#!/bin/sh\nprintf x >> "${folder}/calls"\ncount=$(wc -c < "${folder}/calls" | tr -d ' ')\nprintf '%s' "$KUBERNETES_EXEC_INFO" > "${folder}/info"\ncat <<END\n${credential}\nEND\n`,
  );
  await chmod(command, 0o755);
  return { folder, exec: { apiVersion: 'client.authentication.k8s.io/v1', command, provideClusterInfo: true } };
};

describe('credentials', () => {
  it('asks a plugin once, however many requests start together', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found, found, found);
    const { exec, folder } = await writePlugin();
    const { cluster } = await connectTo(server, { user: { exec } });
    await Promise.all([cluster.get(reference), cluster.get(reference)]);
    await cluster.get(reference);
    expect(tokensSeen(server)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1']);
    expect(JSON.parse(await readFile(join(folder, 'info'), 'utf8'))).toMatchObject({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: server.url } },
    });
  });

  it('asks the plugin again, once, when the server does not accept the token any more', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found, unauthorized, found, unauthorized, unauthorized);
    const { cluster } = await connectTo(server, { user: { exec: (await writePlugin()).exec } });
    await cluster.get(reference);
    await cluster.patch(reference, { type: 'merge', body: {} }, { fieldManager: 'poimen' });
    await expect(cluster.get(reference)).rejects.toMatchObject({ status: { code: 401 } });
    expect(tokensSeen(server)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2', 'Bearer token-3']);
  });

  it('asks the plugin again once for several requests that were rejected together', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(unauthorized, unauthorized, found, found);
    const { cluster } = await connectTo(server, { user: { exec: (await writePlugin()).exec } });
    await Promise.all([cluster.get(reference), cluster.get(reference)]);
    expect(tokensSeen(server)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
  });

  it('asks the plugin again for a rejected request, also when a later one was let through with the same token', async () => {
    const server = await startFaultyServer('HTTP/2');
    const [late, reject] = answerLater(unauthorized);
    server.foresee(late, found, found);
    const { cluster } = await connectTo(server, { user: { exec: (await writePlugin()).exec } });
    const first = cluster.get(reference);
    while (server.seen.length === 0) await new Promise(setImmediate);
    await cluster.get(reference);
    reject();
    await first;
    expect(tokensSeen(server)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  it('does not ask the plugin again for a request with the old token that is rejected late', async () => {
    const server = await startFaultyServer('HTTP/2');
    const [late, reject] = answerLater(unauthorized);
    server.foresee(late, unauthorized, found, found);
    const { cluster } = await connectTo(server, { user: { exec: (await writePlugin()).exec } });
    const first = cluster.get(reference);
    while (server.seen.length === 0) await new Promise(setImmediate);
    await cluster.get(reference);
    reject();
    await first;
    expect(tokensSeen(server)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
  });

  it('asks the plugin again when the token has expired by its own word', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found, found);
    const { cluster } = await connectTo(server, {
      user: { exec: (await writePlugin(', "expirationTimestamp": "2020-01-01T00:00:00Z"')).exec },
    });
    await cluster.get(reference);
    await cluster.get(reference);
    expect(tokensSeen(server)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('reads a token file again when the server does not accept its token any more', async () => {
    const server = await startFaultyServer('HTTP/2');
    const tokenFile = join(await temporaryFolder(), 'token');
    await writeFile(tokenFile, 'old\n');
    server.foresee(found, unauthorized, found);
    const { cluster } = await connectTo(server, { user: { tokenFile, token: 'not-this-one' } });
    await cluster.get(reference);
    await writeFile(tokenFile, 'new\n');
    await cluster.get(reference);
    expect(tokensSeen(server)).toEqual(['Bearer old', 'Bearer old', 'Bearer new']);
  });

  it('does not ask twice with a token that cannot be renewed', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(unauthorized, found);
    const { cluster } = await connectTo(server);
    await expect(cluster.get(reference)).rejects.toMatchObject({ status: { code: 401 } });
    expect(server.seen).toHaveLength(1);
  });

  it('sends a user name and password', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found);
    const { cluster } = await connectTo(server, { user: { username: 'shepherd', password: 'ü' } });
    await cluster.get(reference);
    expect(tokensSeen(server)).toEqual([`Basic ${Buffer.from('shepherd:ü').toString('base64')}`]);
  });

  it('takes the ID token of an OpenID provider', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const idToken = `${part({})}.${part({ exp: 9_999_999_999 })}.signature`;
    const { cluster } = await connectTo(server, { user: { 'auth-provider': { name: 'oidc', config: { 'id-token': idToken } } } });
    await cluster.get(reference);
    expect(tokensSeen(server)).toEqual([`Bearer ${idToken}`]);
  });

  it('acts as another user: the flags before the kubeconfig', async () => {
    const server = await startFaultyServer('HTTP/1.1');
    server.foresee(found, found);
    const kubeconfig = await writeKubeconfig(server, {
      token: 't',
      as: 'robot',
      'as-uid': 'u',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'example.com/Scope': ['x'] },
    });
    for (const flags of [{}, { as: 'someone', asGroups: ['dev'] }]) {
      const { cluster } = await connectLive({ kubeconfig, env: {}, requestTimeoutMs: 5_000, ...flags });
      await cluster.get(reference);
      await cluster.close();
    }
    expect(server.seen.map(({ headers }) => Object.entries(headers).filter(([name]) => name.startsWith('impersonate')))).toEqual([
      [
        ['impersonate-user', 'robot'],
        ['impersonate-group', 'a, b'],
        ['impersonate-uid', 'u'],
        ['impersonate-extra-example.com%2fscope', 'x'],
      ],
      [
        ['impersonate-user', 'someone'],
        ['impersonate-group', 'dev'],
      ],
    ]);
  });

  it("looks for a plugin with a relative path from the kubeconfig's folder", async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found);
    const { exec, folder } = await writePlugin();
    const kubeconfig = await writeKubeconfig(server, { exec: { ...exec, command: './plugin' } });
    await copyFile(kubeconfig, join(folder, 'kubeconfig'));
    const { cluster } = await connectLive({ kubeconfig: join(folder, 'kubeconfig'), env: {}, requestTimeoutMs: 5_000 });
    await cluster.get(reference);
    await cluster.close();
    expect(tokensSeen(server)).toEqual(['Bearer token-1']);
  });

  it('says that a plugin is not installed, with its own hint', async () => {
    const server = await startFaultyServer('HTTP/2');
    const { cluster } = await connectTo(server, {
      user: { exec: { command: 'no-such-plugin', installHint: 'Install it from example.com\n' } },
    });
    await expect(cluster.get(reference)).rejects.toMatchObject({
      code: 'CredentialPluginMissing',
      exitCode: 3,
      message: 'the credential plugin "no-such-plugin" of user "tester" is not installed',
      nextSteps: ['Install it from example.com'],
    });
  });

  it('says why a plugin failed, in its own words', async () => {
    const server = await startFaultyServer('HTTP/2');
    const { cluster } = await connectTo(server, { user: { exec: { command: 'sh', args: ['-c', 'echo session expired >&2; exit 1'] } } });
    await expect(cluster.get(reference)).rejects.toMatchObject({
      code: 'CredentialPluginFailed',
      exitCode: 3,
      message: 'the credential plugin "sh" of user "tester" failed',
      detail: 'session expired',
      nextSteps: ['log in again, then check with: kubectl auth whoami'],
    });
  });

  it('says that a token file is not there', async () => {
    const server = await startFaultyServer('HTTP/2');
    const { cluster } = await connectTo(server, { user: { tokenFile: '/nonexistent/token' } });
    await expect(cluster.get(reference)).rejects.toMatchObject({
      code: 'CredentialsUnavailable',
      exitCode: 3,
      message: 'no credentials for user "tester"',
      detail: "ENOENT: no such file or directory, open '/nonexistent/token'",
    });
  });
});
