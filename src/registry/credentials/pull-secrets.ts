import { isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import type { Credential, CredentialLookup } from './credential.ts';
import { decodeAuth, shownKey } from './docker-config.ts';
import { matchesGlob } from './path-glob.ts';

/** A Secret of type kubernetes.io/dockerconfigjson or kubernetes.io/dockercfg, as the API server sends it. */
export interface PullSecret {
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  /** Values in base64. */
  readonly data: Readonly<Record<string, string>>;
}

/**
 * The credentials that a kubelet would try for an image, in its order. `image` is REGISTRY/REPOSITORY in full (`docker.io/library/busybox`).
 *
 * Keys are taken in reverse lexical order. One matches when its host's labels match one by one (with `*` and the like), its port is the
 * image's, and its path begins the image's path, as text: `team` matches `teams/tool`. Every key that matches is tried. Docker Hub's key
 * counts only for Docker Hub's images, and only if nothing else matched.
 *
 * Source: Kubernetes, pkg/credentialprovider, BasicDockerKeyring; documentation, "Interpretation of config.json".
 */
export const credentialsForPull = (
  secrets: readonly PullSecret[],
  image: string,
): { readonly credentials: readonly Credential[]; readonly problems: readonly string[] } => {
  const problems: string[] = [];
  const byKey = new Map<string, Credential[]>();
  for (const secret of secrets) {
    const name = `Secret ${secret.namespace}/${secret.name}`;
    const config = configOf(secret);
    if (config === undefined) {
      problems.push(`${name}: it holds no registry credentials that can be read`);
      continue;
    }
    for (const [location, entry] of Object.entries(config)) {
      const key = keyOf(location);
      const account = accountOf(entry);
      if (key === undefined || account === undefined) {
        problems.push(`${name}: the entry for ${shownKey(location)} cannot be used`);
        continue;
      }
      byKey.set(key, [...(byKey.get(key) ?? []), { kind: 'password', ...account, origin: `${name} (${shownKey(location)})` }]);
    }
  }
  const keys = [...byKey.keys()].toSorted(byBytes).toReversed();
  const matching = keys.filter((key) => matchesImage(key, image)).flatMap((key) => byKey.get(key) ?? []);
  if (matching.length > 0 || !isDockerHub(image)) return { credentials: matching, problems };
  return { credentials: byKey.get('index.docker.io') ?? [], problems };
};

/** The same, for a registry client: `imagePullSecrets` of a pod, or else of its ServiceAccount. */
export const pullSecretCredentials =
  (secrets: readonly PullSecret[]): CredentialLookup =>
  async ({ host, repository }) => {
    const { credentials, problems } = credentialsForPull(secrets, `${host}/${repository}`);
    const names = secrets.map(({ namespace, name }) => `${namespace}/${name}`).join(', ');
    const nothing = credentials.length > 0 || secrets.length === 0 ? [] : [`pull secrets ${names}: nothing for ${host}/${repository}`];
    return { credentials, looked: [...problems, ...nothing] };
  };

/** A Secret of one type is read by that type's key alone. */
const configOf = ({ type, data }: PullSecret): JsonObject | undefined => {
  if (type === 'kubernetes.io/dockerconfigjson') {
    const document = parse(data['.dockerconfigjson']);
    const auths = document?.['auths'];
    return isJsonObject(auths) ? auths : undefined;
  }
  return type === 'kubernetes.io/dockercfg' ? parse(data['.dockercfg']) : undefined;
};

const parse = (base64: string | undefined): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64 ?? '', 'base64').toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // not quoted anywhere: it holds secrets
  }
};

/** Without a scheme; `/v1/` and `/v2/` at the beginning of the path are none of it. */
const keyOf = (location: string): string | undefined => {
  const [, host, path = ''] = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)/.exec(location) ?? [];
  if (host === undefined || host === '' || /[\s@]/.test(host)) return undefined;
  const effective = path.startsWith('/v1/') || path.startsWith('/v2/') ? path.slice(3) : path;
  return effective === '/' ? host : `${host}${effective}`;
};

/** Identity tokens are none of the kubelet's business. */
const accountOf = (entry: unknown): { readonly username: string; readonly password: string } | undefined => {
  if (!isJsonObject(entry)) return undefined;
  const { username, password, auth } = entry;
  if (typeof auth === 'string' && auth !== '') return decodeAuth(auth);
  return { username: typeof username === 'string' ? username : '', password: typeof password === 'string' ? password : '' };
};

const matchesImage = (key: string, image: string): boolean => {
  const glob = splitUrl(key);
  const target = splitUrl(image);
  if (glob.port !== target.port || glob.labels.length !== target.labels.length || !target.path.startsWith(glob.path)) return false;
  return glob.labels.every((label, index) => matchesGlob(label, target.labels[index] ?? ''));
};

const splitUrl = (url: string): { readonly labels: readonly string[]; readonly port: string; readonly path: string } => {
  const slash = url.indexOf('/');
  const authority = slash < 0 ? url : url.slice(0, slash);
  const [, host = authority, port = ''] = /^(.*):(\d*)$/.exec(authority) ?? [];
  return { labels: host.split('.'), port, path: slash < 0 ? '' : url.slice(slash) };
};

const isDockerHub = (image: string): boolean => {
  const [first = '', ...rest] = image.split('/');
  return rest.length === 0 || first === 'docker.io' || first === 'index.docker.io' || !/[.:]/.test(first);
};

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
