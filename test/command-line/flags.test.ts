import { describe, expect, it } from 'vitest';
import { cutoverSource } from '../../src/command-line/cutover-source.ts';
import { readClusterFlags, readSettings } from '../../src/command-line/flags.ts';
import { runbookSource } from '../../src/command-line/runbook-source.ts';

describe('readSettings', () => {
  it('splits at the first =, so that a value may hold more of them', () => {
    expect(readSettings(['replicas=2', 'args=a=b', 'empty='])).toEqual({ replicas: '2', args: 'a=b', empty: '' });
    expect(readSettings()).toEqual({});
  });

  it.each([
    [['replicas'], '--set replicas does not say a name and a value'],
    [['=2'], '--set =2 does not say a name and a value'],
    [['a=1', 'a=2'], '--set gives a two values'],
  ])('refuses %j', (settings, message) => {
    expect(() => readSettings(settings)).toThrow(message);
  });
});

describe('readClusterFlags', () => {
  it('leaves out what was not given', () => {
    expect(readClusterFlags({ 'insecure-skip-tls-verify': false, fresh: false })).toEqual({ insecureSkipTlsVerify: false, fresh: false });
  });
});

describe('--request-timeout', () => {
  const none = { 'insecure-skip-tls-verify': false, fresh: false };

  it.each([
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['45', 45_000],
    ['0', 0],
  ])('%s', (text, requestTimeoutMs) => {
    expect(readClusterFlags({ ...none, 'request-timeout': text })).toMatchObject({ requestTimeoutMs });
  });

  it('is refused when it is no duration', () => {
    expect(() => readClusterFlags({ ...none, 'request-timeout': '30 s' })).toThrow('--request-timeout 30 s is not a duration');
  });
});

describe('what is handed over', () => {
  it.each([
    ['clef', { kind: 'name', name: 'clef' }],
    ['clef.yaml', { kind: 'file', path: 'clef.yaml' }],
    ['./a/clef.yml', { kind: 'file', path: './a/clef.yml' }],
  ] as const)('%s is a runbook', (argument, source) => {
    expect(runbookSource(argument)).toEqual(source);
    expect(cutoverSource(argument, {})).toEqual(source);
  });

  it.each(['svc/a', 'service/a.ns', 'services/a'])('%s is a Service, with its workloads from the flags', (service) => {
    const flags = { from: 'deploy/a', to: 'deploy/b', client: undefined, port: 80, path: '/health' };
    expect(cutoverSource(service, flags)).toEqual({
      kind: 'cutover',
      service,
      from: 'deploy/a',
      to: 'deploy/b',
      port: 80,
      path: '/health',
    });
  });

  it('a Service needs both workloads', () => {
    expect(() => cutoverSource('svc/a', { from: 'deploy/a' })).toThrow('a hand-over of svc/a needs --from and --to');
  });

  it('a runbook says itself what the flags would', () => {
    expect(() => cutoverSource('clef', { to: 'deploy/b', port: 80 })).toThrow('--to, --port: the runbook clef says that itself');
  });
});
