import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storedCredentials } from '../../src/registry/credentials/stored-credentials.ts';
import type { FoundCredentials } from '../../src/registry/credentials/credential.ts';
import { temporaryFolder } from '../twin/temporary-folder.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const auths = (entries: Record<string, string>): Record<string, unknown> => ({
  auths: Object.fromEntries(Object.entries(entries).map(([key, account]) => [key, { auth: base64(account) }])),
});

interface Home {
  readonly folder: string;
  write(file: string, content: unknown): void;
  /** A program `docker-credential-NAME`; it is a shell script, told the host on stdin. */
  helper(name: string, script: string): void;
  find(host: string, repository?: string, env?: Record<string, string>, helperTimeoutMs?: number): Promise<FoundCredentials>;
}

const home = (): Home => {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const path = [bin, process.env['PATH']].join(delimiter);
  return {
    folder,
    write(file, content) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
    },
    helper(name, script) {
      const program = join(bin, `docker-credential-${name}`);
      writeFileSync(program, `#!/bin/sh\nread -r host\n${script}\n`);
      chmodSync(program, 0o755);
    },
    find: (host, repository = 'llm/candle', env = {}, helperTimeoutMs = 20_000) =>
      storedCredentials({ env: { PATH: path, ...env }, homeDirectory: folder, helperTimeoutMs })({ host, repository }, undefined),
  };
};

const usersOf = ({ credentials }: FoundCredentials): readonly string[] =>
  credentials.map((each) => (each.kind === 'password' ? `${each.username}:${each.password}` : `${each.kind} ${each.token}`));

describe('credentials on this machine', () => {
  it('come from the helper for this host, then the store, then the file', async () => {
    const { helper, write, find } = home();
    helper('one', `echo "{\\"Username\\":\\"one\\",\\"Secret\\":\\"$host\\"}"`);
    helper(
      'all',
      `[ "$host" = other.example ] && echo '{"Username":"all","Secret":"x"}' && exit; echo "credentials not found in native keychain"; exit 1`,
    );
    write('.docker/config.json', {
      credHelpers: { 'r.example': 'one' },
      credsStore: 'all',
      ...auths({ 'r.example': 'a:b', 'plain.example': 'c:d' }),
    });
    expect(usersOf(await find('r.example'))).toEqual(['one:r.example']);
    expect(usersOf(await find('other.example'))).toEqual(['all:x']);
    expect(usersOf(await find('plain.example'))).toEqual(['c:d']);
  });

  it("come from docker's file before podman's, wherever the environment puts them", async () => {
    const { folder, write, find } = home();
    write('.config/containers/auth.json', auths({ 'r.example': 'config:1' }));
    expect(usersOf(await find('r.example'))).toEqual(['config:1']);
    write('run/containers/auth.json', auths({ 'r.example': 'run:1' }));
    expect(usersOf(await find('r.example', 'x', { XDG_RUNTIME_DIR: join(folder, 'run') }))).toEqual(['run:1']);
    write('auth.json', auths({ 'r.example': 'file:1' }));
    const env = { XDG_RUNTIME_DIR: join(folder, 'run'), REGISTRY_AUTH_FILE: join(folder, 'auth.json') };
    expect(usersOf(await find('r.example', 'x', env))).toEqual(['file:1']);
    write('docker/config.json', auths({ 'r.example': 'docker:1' }));
    expect(usersOf(await find('r.example', 'x', { ...env, DOCKER_CONFIG: join(folder, 'docker') }))).toEqual(['docker:1']);
  });

  it('of a part of the path go before those of the host', async () => {
    const { write, find } = home();
    write(
      '.docker/config.json',
      auths({ 'r.example': 'host:1', 'r.example/llm': 'llm:1', 'r.example/llm/candle': 'candle:1', 'r.example/ll': 'no:1' }),
    );
    expect(usersOf(await find('r.example', 'llm/candle'))).toEqual(['candle:1', 'llm:1', 'host:1']);
  });

  it('of Docker Hub stand under its old address', async () => {
    const { helper, write, find } = home();
    write('.docker/config.json', auths({ 'https://index.docker.io/v1/': 'hub:1' }));
    expect(usersOf(await find('docker.io', 'library/busybox'))).toEqual(['hub:1']);
    helper('s', `echo "{\\"Username\\":\\"hub\\",\\"Secret\\":\\"$host\\"}"`);
    write('.docker/config.json', { credsStore: 's' });
    expect(usersOf(await find('docker.io', 'library/busybox'))).toEqual(['hub:https://index.docker.io/v1/']);
  });

  it('can be tokens', async () => {
    const { helper, write, find } = home();
    write('.docker/config.json', {
      auths: { 'a.example': { auth: base64('u:'), identitytoken: 'id' }, 'b.example': { registrytoken: 'reg' } },
    });
    expect(usersOf(await find('a.example'))).toEqual(['identity-token id']);
    expect(usersOf(await find('b.example'))).toEqual(['registry-token reg']);
    helper('t', `echo '{"Username":"<token>","Secret":"by-helper"}'`);
    write('.docker/config.json', { credHelpers: { 'c.example': 't' } });
    expect(usersOf(await find('c.example'))).toEqual(['identity-token by-helper']);
  });
});

describe('a credential helper', () => {
  it.each([
    ['that is not there', 'missing', undefined, 'there is no program docker-credential-missing in the PATH'],
    [
      'that fails',
      'h',
      'echo "{\\"Secret\\":\\"hunter2\\"}"; echo "the keychain is locked" >&2; exit 3',
      'docker-credential-h failed: the keychain is locked',
    ],
    ['that prints no JSON', 'h', 'echo hunter2', 'what docker-credential-h printed is no credential'],
    ['that prints something else', 'h', `echo '{"Secret":"hunter2"}'`, 'what docker-credential-h printed is no credential'],
    ['that has nothing', 'h', 'echo "credentials not found in native keychain"; exit 1', 'docker-credential-h has nothing for r.example'],
    ['that is a path', '../../bin/h', undefined, '"../../bin/h" is no helper\'s name'],
    ['that is a command', 'h; touch pwned', undefined, '"h; touch pwned" is no helper\'s name'],
  ])('%s leaves a note, and no secret', async (_, name, script, note) => {
    const { folder, helper, write, find } = home();
    if (script !== undefined) helper(name, script);
    write('.docker/config.json', { credsStore: name });
    const found = await find('r.example');
    expect(found.credentials).toEqual([]);
    expect(found.looked[0]).toBe(`${join(folder, '.docker/config.json')}: ${note}`);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('that hangs is not waited for, not even for what it started', async () => {
    const { helper, write, find } = home();
    helper('h', 'sleep 8 & sleep 8');
    write('.docker/config.json', { credsStore: 'h', ...auths({ 'r.example': 'a:b' }) });
    const startMs = performance.now();
    const found = await find('r.example', 'x', {}, 300);
    expect(found.looked[0]).toContain('docker-credential-h did not answer within 0.3 s');
    expect(usersOf(found)).toEqual(['a:b']);
    expect(performance.now() - startMs).toBeLessThan(4_000);
  });
});

describe('a file with credentials', () => {
  it.each([
    ['no JSON', '{"auths": hunter2', 'is no JSON object'],
    ['no object', '["hunter2"]', 'is no JSON object'],
  ])('that is %s leaves a note that quotes nothing', async (_, content, note) => {
    const { folder, write, find } = home();
    write('.docker/config.json', content);
    const { looked } = await find('r.example');
    expect(looked[0]).toBe(`${join(folder, '.docker/config.json')}: ${note}`);
    expect(looked.join()).not.toContain('hunter2');
  });

  it('with an entry that cannot be read says which, and not what', async () => {
    const { folder, write, find } = home();
    write('.docker/config.json', { auths: { 'r.example': { auth: base64('hunter2') } } });
    const { looked } = await find('r.example');
    expect(looked).toContain(`${join(folder, '.docker/config.json')}: the entry for r.example cannot be read`);
  });

  it('that is not there is named', async () => {
    const { folder, find } = home();
    expect((await find('r.example')).looked).toEqual([
      `${join(folder, '.docker/config.json')}: there is no such file`,
      `${join(folder, '.config/containers/auth.json')}: there is no such file`,
    ]);
  });
});
