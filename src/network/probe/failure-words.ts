import type { ProbeAnswer } from '../../cluster/prober.ts';

type Failure = Extract<ProbeAnswer, { kind: 'refused' | 'timeout' | 'unresolved' | 'unreachable' }>;

/**
 * Why a tool says that it has no connection: by the C library's words, which they all print (glibc's or musl's, in English: `LC_ALL=C`).
 *
 * `undefined`: it says nothing of the kind.
 */
export const readFailureWords = (text: string): Failure | undefined => {
  for (const [kind, pattern] of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return { kind, detail: nodeWords[match[0]] ?? match[0].toLowerCase() };
  }
  return undefined;
};

/** Node.js' names for the same. */
const nodeWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ENOTFOUND: 'name does not resolve',
  EAI_AGAIN: 'temporary failure in name resolution',
};

const patterns: readonly (readonly [Failure['kind'], RegExp])[] = [
  [
    'unresolved',
    /name or service not known|name does not resolve|no address associated with hostname|temporary failure in name resolution|could not resolve host\w*|unable to resolve host address|unknown host|bad address|nodename nor servname provided|ENOTFOUND|EAI_AGAIN/i,
  ],
  ['refused', /connection refused|ECONNREFUSED/i],
  ['unreachable', /no route to host|host is unreachable|network (?:is )?unreachable|operation not permitted|EHOSTUNREACH|ENETUNREACH/i],
  ['timeout', /connection timed out|operation timed out|download timed out|timed out|timeout|ETIMEDOUT/i],
];
