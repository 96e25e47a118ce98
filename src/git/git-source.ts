import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GitError } from './git-error.ts';

/** How git gets at a source; also the only protocol that git may then use. */
export type GitTransport = 'https' | 'http' | 'ssh' | 'file';

/** Where a repository is. A path may be a folder or a bundle: that is seen when it is opened. */
export interface GitSource {
  readonly transport: GitTransport;
  /** As git takes it: a URL, `user@host:path`, or an absolute path. Never begins with a dash. */
  readonly address: string;
  /** For messages: without user and password. */
  readonly shown: string;
}

export interface SourceOptions {
  /** What relative paths are relative to. */
  readonly cwd: string;
  /** http:// is not encrypted and not authenticated. Commits are hashes and cannot be forged on the way; which branches there are can. */
  readonly plainHttp?: boolean;
}

const remoteHelper = /^[A-Za-z0-9][A-Za-z0-9+.-]*::/;
const url = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;
/** A colon before the first slash: git takes it as host and path, over ssh. */
const scpLike = /^(?:([^@/:]+)@)?(\[[0-9A-Fa-f:.]+\]|[^@/:[\]]+):(.+)$/;

/**
 * Reads `--source`: an https, ssh or file URL, `user@host:path`, or a path. Nothing that makes git run a program of the source's choice
 * (`ext::`, other remote helpers, a dash that would be an option) gets any further.
 *
 * Source: git documentation, "GIT URLS" in git-clone, gitremote-helpers.
 *
 * @throws GitError SourceRefused
 */
export const parseGitSource = (text: string, { cwd, plainHttp = false }: SourceOptions): GitSource => {
  if (text.trim() === '') throw refused(text, 'it is empty');
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  if (/[\u0000-\u001f\u007f]/.test(text)) throw refused(text, 'it has control characters');
  if (text.startsWith('-')) throw refused(text, 'it begins with a dash, which git would read as an option', `--source ./${text}`);
  if (remoteHelper.test(text))
    throw refused(text, `${text.slice(0, text.indexOf('::') + 2)} makes git run a program that the address names`);
  const scheme = url.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined) return fromUrl(text, scheme, plainHttp);
  const scp = scpLike.exec(text);
  if (scp !== null) {
    const [, user, host = '', path = ''] = scp;
    if ([user, host, path].some((part) => part?.startsWith('-'))) throw refused(text, 'a part of it begins with a dash');
    return { transport: 'ssh', address: text, shown: `${host}:${path}` };
  }
  return fromPath(resolve(cwd, text));
};

const fromUrl = (text: string, scheme: string, plainHttp: boolean): GitSource => {
  if (!URL.canParse(text)) throw refused(text, 'it is no URL');
  const parsed = new URL(text);
  const shown = shownUrl(parsed);
  switch (scheme) {
    case 'https':
    case 'http':
      if (scheme === 'http' && !plainHttp)
        throw refused(shown, 'http:// is not encrypted', 'use https://, or say that it may be: --plain-http');
      if (parsed.hostname === '') throw refused(shown, 'it names no host');
      return { transport: scheme, address: parsed.href, shown };
    case 'ssh':
      if (parsed.hostname === '' || /^-|^%2d/i.test(parsed.hostname) || /^-|^%2d/i.test(parsed.username))
        throw refused(shown, 'its host or user begins with a dash, or is missing');
      return { transport: 'ssh', address: text, shown };
    case 'file':
      if (parsed.hostname !== '' && parsed.hostname !== 'localhost') throw refused(shown, 'a file URL has no host');
      return fromPath(fileURLToPath(`file://${parsed.pathname}`));
    default:
      throw refused(shown, `${scheme}:// is not taken`);
  }
};

const fromPath = (path: string): GitSource => ({ transport: 'file', address: path, shown: path });

const shownUrl = (parsed: URL): string => {
  const shown = new URL(parsed);
  shown.username = '';
  shown.password = '';
  shown.search = '';
  shown.hash = '';
  return shown.href;
};

const refused = (text: string, why: string, ...more: readonly string[]): GitError =>
  new GitError({
    code: 'SourceRefused',
    summary: `${JSON.stringify(text)} cannot be the source: ${why}`,
    nextSteps: [...more, 'a source is an https, ssh or file URL, USER@HOST:PATH, a folder, or a git bundle'],
  });
