import { quotedText } from '../registry/quoted-text.ts';
import { GitError, type GitErrorCode } from './git-error.ts';
import type { GitSource } from './git-source.ts';

interface Explanation {
  readonly code: GitErrorCode;
  readonly says: RegExp;
  readonly summary: (shown: string) => string;
  readonly nextSteps: (shown: string) => readonly string[];
}

/** What git says with LC_ALL=C, ssh and curl included. The first that fits. */
const explanations: readonly Explanation[] = [
  {
    code: 'SourceNotOwned',
    says: /dubious ownership|unsafe repository/i,
    summary: (shown) => `${shown} belongs to another user: git does not read it`,
    nextSteps: (shown) => [`if you trust it: git config --global --add safe.directory ${shown}`],
  },
  {
    code: 'SourceRefused',
    says: /transport '[^']*' not allowed|protocol .* not (supported or disabled|allowed)/i,
    summary: (shown) => `${shown} led git to another protocol, which is not followed`,
    nextSteps: () => ['give the address that it leads to'],
  },
  {
    code: 'SourceCertificateNotTrusted',
    says: /certificate (problem|verif)|SSL: |server certificate|self[- ]signed|unable to get local issuer/i,
    summary: (shown) => `the certificate of ${shown} is not trusted`,
    nextSteps: () => ['if it is the right server, name the file with its CA: GIT_SSL_CAINFO=FILE, or git config http.sslCAInfo'],
  },
  {
    code: 'BundleIncomplete',
    says: /lacks these prerequisite commits|prerequisite/i,
    summary: (shown) => `the bundle ${shown} builds on commits that are not in it`,
    nextSteps: () => ['make one that has everything: git bundle create FILE --all'],
  },
  {
    code: 'SourceUnauthorized',
    says: /authentication failed|could not read (username|password)|terminal prompts disabled|permission denied|access denied|host key verification failed|HTTP Basic: Access|error: 40[13]/i,
    summary: (shown) => `${shown} does not let git in`,
    nextSteps: (shown) => [
      'poimen never prompts: log in with a credential helper or an ssh agent that git finds by itself',
      `see whether git gets in: git ls-remote ${shown}`,
    ],
  },
  {
    code: 'SourceUnreachable',
    says: /could not resolve|couldn't (resolve|connect)|failed to connect|connection (refused|timed out|reset|closed)|no route to host|network is unreachable|operation timed out|the remote end hung up|empty reply|early EOF|RPC failed|error: 5\d\d/i,
    summary: (shown) => `${shown} cannot be reached`,
    nextSteps: (shown) => [`see what it says: git ls-remote ${shown}`, 'or give another source: a mirror, a folder, a bundle'],
  },
  {
    code: 'SourceNotARepository',
    says: /not found|does not (exist|appear to be a git repository)|not a git repository|no such (file|device)|not a bundle|does not look like a v2 or v3 bundle|unrecognized header|not valid: is this a git repository|error: 404/i,
    summary: (shown) => `${shown} is no git repository that can be read`,
    nextSteps: (shown) => [
      `see what it says: git ls-remote ${shown}`,
      'where the repository is private, this may also mean that nobody is logged in',
    ],
  },
];

/** Why a clone or a fetch failed: what was asked of whom, and what to do. */
export const explainSourceError = (source: GitSource, asked: string, stderr: string): GitError => {
  const detail = `${asked} was asked of ${source.shown}; git says: ${quotedText(withoutSecrets(stderr, source), 1_000)}`;
  const found = explanations.find(({ says }) => says.test(stderr));
  if (found === undefined)
    return new GitError({
      code: 'GitFailed',
      summary: `git could not fetch from ${source.shown}`,
      detail,
      nextSteps: [`see what it says: git ls-remote ${source.shown}`],
    });
  return new GitError({ code: found.code, summary: found.summary(source.shown), detail, nextSteps: found.nextSteps(source.shown) });
};

const withoutSecrets = (text: string, source: GitSource): string =>
  text.replaceAll(source.address, source.shown).replace(/(:\/\/)[^\s/@]+@/g, '$1');
