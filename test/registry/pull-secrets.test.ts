import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/registry/credentials/path-glob.ts';
import { credentialsForPull, type PullSecret } from '../../src/registry/credentials/pull-secrets.ts';

const base64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

/** A Secret that has one user a key, named like the key. */
const secret = (name: string, keys: readonly string[]): PullSecret => ({
  namespace: 'llm',
  name,
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': base64({ auths: Object.fromEntries(keys.map((key) => [key, { username: key, password: 'p' }])) }) },
});

const usersFor = (image: string, ...secrets: readonly PullSecret[]): readonly string[] =>
  credentialsForPull(secrets, image).credentials.map((credential) =>
    credential.kind === 'password' ? credential.username : credential.kind,
  );

describe('pull secrets, as the kubelet reads them', () => {
  it('tries every key that matches, in reverse lexical order', () => {
    const keys = ['r.example', 'r.example/llm', 'r.example/llm/candle', 'r.example/other', 'a.example'];
    expect(usersFor('r.example/llm/candle', secret('s', keys))).toEqual(['r.example/llm/candle', 'r.example/llm', 'r.example']);
  });

  it('takes a path as a plain prefix of text, not of path elements', () => {
    expect(usersFor('r.example/teams/tool', secret('s', ['r.example/team']))).toEqual(['r.example/team']);
    expect(usersFor('r.example/tea/tool', secret('s', ['r.example/team']))).toEqual([]);
  });

  it('matches host names label by label', () => {
    const keys = ['*.example', '*.*.example', 'reg*.eu.example', 'registry.e*.example', '*'];
    expect(usersFor('registry.eu.example/candle', secret('s', keys))).toEqual(['registry.e*.example', 'reg*.eu.example', '*.*.example']);
  });

  it('wants the same port', () => {
    const keys = ['r.example', 'r.example:5000', '*.example:5000'];
    expect(usersFor('r.example:5000/candle', secret('s', keys))).toEqual(['r.example:5000', '*.example:5000']);
  });

  it('leaves scheme and API version out of a key', () => {
    expect(usersFor('r.example/candle', secret('s', ['https://r.example/v1/', 'http://r.example/v2/can']))).toEqual([
      'http://r.example/v2/can',
      'https://r.example/v1/',
    ]);
  });

  it("takes Docker Hub's for its own images, if nothing else matched", () => {
    const hub = 'https://index.docker.io/v1/';
    expect(usersFor('docker.io/library/busybox', secret('s', [hub]))).toEqual([hub]);
    expect(usersFor('docker.io/library/busybox', secret('s', [hub, 'docker.io']))).toEqual(['docker.io']);
    expect(usersFor('r.example/busybox', secret('s', [hub]))).toEqual([]);
  });

  it('tries the same key of several Secrets in the order of the Secrets', () => {
    const both = [secret('old', ['r.example']), secret('new', ['r.example'])];
    expect(credentialsForPull(both, 'r.example/candle').credentials.map(({ origin }) => origin)).toEqual([
      'Secret llm/old (r.example)',
      'Secret llm/new (r.example)',
    ]);
  });

  it('reads the older type, and user and password that are not in base64', () => {
    const old: PullSecret = {
      namespace: 'llm',
      name: 'old',
      type: 'kubernetes.io/dockercfg',
      data: { '.dockercfg': base64({ 'r.example': { username: 'me', password: 'a:b' } }) },
    };
    expect(credentialsForPull([old], 'r.example/candle').credentials).toEqual([
      { kind: 'password', username: 'me', password: 'a:b', origin: 'Secret llm/old (r.example)' },
    ]);
  });

  it('names a Secret that cannot be read, without what is in it', () => {
    const broken: PullSecret = { ...secret('broken', []), data: { '.dockerconfigjson': base64('{"auths": hunter2') } };
    const half = secret('half', ['r.example']);
    const noColon = base64({
      auths: { 'r.example': { auth: base64('hunter2') }, 'https://me:hunter2@r.example': { auth: base64('a:b') } },
    });
    const { credentials, problems } = credentialsForPull([broken, { ...half, data: { '.dockerconfigjson': noColon } }], 'r.example/candle');
    expect(credentials).toEqual([]);
    expect(problems).toEqual([
      'Secret llm/broken: it holds no registry credentials that can be read',
      'Secret llm/half: the entry for r.example cannot be used',
      'Secret llm/half: the entry for https://r.example cannot be used',
    ]);
  });
});

describe('globs of host labels', () => {
  it.each([
    ['a*', 'abc', true],
    ['*c', 'abc', true],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'aXbY', false],
    ['?', '', false],
    ['[a-c]x', 'bx', true],
    ['[^a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[a', 'a', false],
    ['[]a]', 'a', false],
    [String.raw`\*`, '*', true],
    [String.raw`\*`, 'a', false],
    ['a.c', 'abc', false],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it('takes no exponential time', () => {
    expect(matchesGlob(`${'*a'.repeat(40)}b`, 'a'.repeat(63))).toBe(false);
  });
});
