import type { GitTransport } from './git-source.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The person's own way to a server. Everything else that begins with GIT_ would lead git somewhere else or make it run something. */
const keptForTheNetwork = new Set([
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_SSH_VARIANT',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'GIT_SSL_CERT',
  'GIT_SSL_KEY',
  'GIT_PROXY_SSL_CAINFO',
  'GIT_PROXY_SSL_CERT',
  'GIT_PROXY_SSL_KEY',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
]);

/** Of every process: nobody is asked for anything, English messages, bytes as they are stored. */
const always = {
  LC_ALL: 'C',
  LANG: 'C',
  GIT_TERMINAL_PROMPT: '0',
  // Empty, not absent: git then asks no program, neither core.askPass nor SSH_ASKPASS.
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ATTR_NOSYSTEM: '1',
  // A path of a repository is a path, whatever characters it has.
  GIT_LITERAL_PATHSPECS: '1',
  // Objects are fetched in batches that are counted, never one by one behind our back.
  GIT_NO_LAZY_FETCH: '1',
} as const;

/**
 * What git is started with. A fetch knows the person's own configuration (credential helpers, proxies, CAs) and one transport; everything
 * else knows no configuration but that of the repository that poimen made, and no transport at all.
 *
 * Source: git documentation, git(1) "Environment Variables".
 */
export const gitEnvironment = (env: Environment, transport: GitTransport | undefined): Record<string, string> => {
  const kept = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || name === 'SSH_ASKPASS' || name === 'LANGUAGE') return [];
    if (/^GIT_/i.test(name) && (transport === undefined || !keptForTheNetwork.has(name))) return [];
    return [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    ...always,
    GIT_ALLOW_PROTOCOL: transport ?? '',
    ...(transport === undefined ? { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' } : {}),
  };
};

/** Stronger than any configuration file. */
export const hardening: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.askPass=',
  'diff.external=',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'fetch.writeCommitGraph=false',
  'fetch.prune=false',
  'transfer.bundleURI=false',
  'http.followRedirects=initial',
  'protocol.version=2',
].flatMap((setting) => ['-c', setting]);
