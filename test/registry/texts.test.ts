import { describe, expect, it } from 'vitest';
import { readChallenge } from '../../src/registry/auth/challenge.ts';
import { digestOf, digestProblem, matchesDigest } from '../../src/registry/digest.ts';
import { nextLink } from '../../src/registry/http/link.ts';
import { isPrivateAddress } from '../../src/registry/http/private-address.ts';
import { retryAfterMs } from '../../src/registry/http/retry.ts';
import { quotedText } from '../../src/registry/quoted-text.ts';
import { referrersTag } from '../../src/registry/referrers-tag.ts';
import { urlWithoutSecrets } from '../../src/registry/trace.ts';

describe('digests', () => {
  it('hash with the algorithm that they name', () => {
    const bytes = Buffer.from('x');
    for (const algorithm of ['sha256', 'sha512'] as const) {
      expect(matchesDigest(bytes, digestOf(bytes, algorithm))).toBe(true);
      expect(matchesDigest(Buffer.from('y'), digestOf(bytes, algorithm))).toBe(false);
    }
  });

  it('never match where they are malformed', () => {
    expect(matchesDigest(Buffer.from('x'), 'sha256:../../x')).toBe(false);
    expect(digestProblem('sha256:../x')).toBe('behind the colon stand hexadecimal digits only');
  });

  it('name the tag that lists referrers, cut to what a tag may hold', () => {
    expect(referrersTag(`sha256:${'a'.repeat(64)}`)).toBe(`sha256-${'a'.repeat(64)}`);
    expect(referrersTag(`sha512:${'a'.repeat(128)}`)).toBe(`sha512-${'a'.repeat(64)}`);
  });
});

describe('challenges', () => {
  it.each([
    ['Basic realm="x"', { scheme: 'basic' }],
    [
      'bearer Realm="https://t.example/token",Service="r, \\"one\\""',
      { scheme: 'bearer', realm: 'https://t.example/token', service: 'r, "one"' },
    ],
    ['Basic realm="x", Bearer realm="https://t.example"', { scheme: 'bearer', realm: 'https://t.example', service: undefined }],
    ['Bearer realm=https://t.example/token', { scheme: 'bearer', realm: 'https://t.example/token', service: undefined }],
    ['Negotiate', undefined],
    ['Bearer', undefined],
    [undefined, undefined],
  ])('%s', (header, challenge) => {
    expect(readChallenge(header)).toEqual(challenge);
  });
});

describe('Link', () => {
  it.each([
    ['</v2/a/referrers/x?last=1>; rel="next"', '/v2/a/referrers/x?last=1'],
    ['</first>; rel="first", </second>; title="a"; rel=next', '/second'],
    ['</prev>; rel="prev"', undefined],
    [undefined, undefined],
  ])('%s', (header, target) => {
    expect(nextLink(header)).toBe(target);
  });
});

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    ['Tue, 01 Dec 2026 00:00:30 GMT', 30_000],
    ['Mon, 30 Nov 2026 00:00:00 GMT', 0],
    ['soon', undefined],
  ])('%s', (value, expected) => {
    expect(retryAfterMs(value, Date.parse('2026-12-01T00:00:00Z'))).toBe(expected);
  });
});

describe('what a server said, in a message', () => {
  it('is plain text, in one line', () => {
    expect(quotedText('<!DOCTYPE html><html><style>p {}</style><script>alert(1)</script><h1>502</h1>\n<p>Bad&nbsp;gateway</p>')).toBe(
      '502 Bad gateway',
    );
    expect(quotedText('\u001b[31mred\u001b[0m \u0007bell\u202eevil\r\nnext')).toBe('red bellevil next');
    expect(quotedText('x'.repeat(500))).toHaveLength(203);
  });
});

describe('addresses in messages', () => {
  it('hold no user, no password and no signature', () => {
    const url = new URL('https://me:hunter2@s.example/blob?X-Amz-Signature=hunter2&ns=docker.io&token=hunter2#hunter2');
    expect(urlWithoutSecrets(url)).toBe('https://s.example/blob?X-Amz-Signature=...&ns=docker.io&token=...');
  });
});

describe('private addresses', () => {
  it.each([
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '::',
  ])('%s is one', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });
  it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1', '::ffff:8.8.8.8'])('%s is none', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
