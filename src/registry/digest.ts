import { createHash, type Hash } from 'node:crypto';

/** `sha256` and `sha512`: those that the specification registers and Node has. */
export type DigestAlgorithm = 'sha256' | 'sha512';

/**
 * Whether it is a digest that can be checked. Anything else must not become part of a path or a URL.
 *
 * Source: OCI Image specification 1.1, "Digests", registered algorithms.
 */
export const isDigest = (text: string): boolean => /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text);

export const algorithmOf = (digest: string): DigestAlgorithm => (digest.startsWith('sha512:') ? 'sha512' : 'sha256');

/** The digits after the algorithm. */
export const hexOf = (digest: string): string => digest.slice(digest.indexOf(':') + 1);

export const digestOf = (bytes: Uint8Array, algorithm: DigestAlgorithm = 'sha256'): string =>
  `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;

/** Whether the bytes are what the digest names. */
export const matchesDigest = (bytes: Uint8Array, digest: string): boolean =>
  isDigest(digest) && digestOf(bytes, algorithmOf(digest)) === digest;

/** To be fed with the content piece by piece. */
export const hashFor = (digest: string): Hash => createHash(algorithmOf(digest));

/**
 * What is wrong with a text that was meant as a digest; `undefined` where nothing is.
 *
 * Source: distribution/reference, grammar of `digest`.
 */
export const digestProblem = (text: string): string | undefined => {
  if (isDigest(text)) return undefined;
  const [, algorithm, hex] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (algorithm === undefined || hex === undefined) return 'a digest is ALGORITHM:HEX, as in sha256:4f53...';
  const length = lengths[algorithm];
  if (length === undefined) return `the algorithm "${algorithm}" cannot be checked here; sha256 and sha512 can`;
  if (/[A-F]/.test(hex)) return 'the digits of a digest are lower case';
  if (!/^[0-9a-f]*$/.test(hex)) return 'behind the colon stand hexadecimal digits only';
  return `${algorithm} has ${length} digits, and these are ${hex.length}`;
};

const lengths: Readonly<Record<string, number>> = { sha256: 64, sha512: 128 };
