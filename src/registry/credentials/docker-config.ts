import { isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import { quotedText } from '../quoted-text.ts';
import type { Credential } from './credential.ts';

/** What a config.json or auth.json says about one host, in the order in which it counts. */
export interface ConfigEntry {
  /** For this host alone (`credHelpers`). */
  readonly helper: string | undefined;
  /** For all hosts (`credsStore`). */
  readonly store: string | undefined;
  /** Out of `auths`, the most specific first. */
  readonly credentials: readonly Credential[];
  /** Entries that cannot be used, by their key. */
  readonly problems: readonly string[];
}

/**
 * What a file of docker's (`config.json`) or podman's (`auth.json`) says about a repository.
 *
 * Source: docker CLI, "config.json"; containers-auth.json(5): a key may name a repository or a part of its path.
 */
export const entryFor = (
  document: JsonObject,
  { host, repository }: { readonly host: string; readonly repository: string },
  file: string,
): ConfigEntry => {
  const helpers = isJsonObject(document['credHelpers']) ? document['credHelpers'] : {};
  const helper = namesOf(host)
    .map((name) => helpers[name])
    .find((each) => typeof each === 'string' && each !== '');
  const store = document['credsStore'];
  const auths = isJsonObject(document['auths']) ? document['auths'] : {};
  const credentials: Credential[] = [];
  const problems: string[] = [];
  for (const key of matchingKeys(Object.keys(auths), host, repository)) {
    const read = readAuth(auths[key], `${file} (auths)`);
    if (read === 'unusable') problems.push(`${file}: the entry for ${shownKey(key)} cannot be read`);
    else if (read !== 'empty') credentials.push(read);
  }
  return {
    helper: typeof helper === 'string' ? helper : undefined,
    store: typeof store === 'string' && store !== '' ? store : undefined,
    credentials,
    problems,
  };
};

/** How a helper is asked for a host. */
export const helperKey = (host: string): string => (host === 'docker.io' ? dockerHubKey : host);

const dockerHubKey = 'https://index.docker.io/v1/';

const namesOf = (host: string): readonly string[] => (host === 'docker.io' ? ['docker.io', 'index.docker.io', dockerHubKey] : [host]);

/** Those of the host, or of a part of the repository's path: the longest first. */
const matchingKeys = (keys: readonly string[], host: string, repository: string): readonly string[] => {
  const full = `${host}/${repository}`;
  const matches = keys.filter((key) => {
    const name = bareKey(key);
    return name === host || full === name || full.startsWith(`${name}/`);
  });
  return matches.toSorted((a, b) => bareKey(b).length - bareKey(a).length);
};

/** Somebody may have written a password into it. */
export const shownKey = (key: string): string => quotedText(key.replace(/[^/]*@/, ''));

/** Without scheme and API version; Docker Hub under one name. */
const bareKey = (key: string): string => {
  const name = key.replace(/^https?:\/\//, '').replace(/\/(v1|v2)?\/?$/, '');
  return name.replace(/^(index|registry-1)\.docker\.io(?=\/|$)/, 'docker.io');
};

/** `empty`: the file only notes that a helper knows. */
const readAuth = (value: unknown, origin: string): Credential | 'empty' | 'unusable' => {
  if (!isJsonObject(value)) return 'unusable';
  const text = (name: string): string => (typeof value[name] === 'string' ? value[name] : '');
  if (text('identitytoken') !== '') return { kind: 'identity-token', token: text('identitytoken'), origin };
  if (text('registrytoken') !== '') return { kind: 'registry-token', token: text('registrytoken'), origin };
  const account = text('auth') === '' ? { username: text('username'), password: text('password') } : decodeAuth(text('auth'));
  if (account === undefined) return 'unusable';
  return account.username === '' && account.password === '' ? 'empty' : { kind: 'password', ...account, origin };
};

/** base64 of `USER:PASSWORD`; with or without its padding. */
export const decodeAuth = (auth: string): { readonly username: string; readonly password: string } | undefined => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(auth.trim())) return undefined;
  const text = Buffer.from(auth, 'base64').toString().replace(/\0+$/, '');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
};
