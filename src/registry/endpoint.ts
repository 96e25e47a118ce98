import { PoimenError } from '../errors/poimen-error.ts';
import type { HostTable } from './host-settings.ts';

/** One place that answers for a repository: the registry itself, or one of its mirrors. */
export interface Endpoint {
  /** `https://registry.example/v2/llm/candle/`. */
  readonly base: URL;
  /** As credentials and settings are filed. */
  readonly host: string;
  /** As this place names it. */
  readonly repository: string;
  readonly isMirror: boolean;
  readonly resolvesTags: boolean;
  /** The registry that a mirror stands for, told to it as `ns`. */
  readonly mirrored: string | undefined;
}

/** The places that answer for a repository: mirrors are asked first, in their order; the registry itself has the last word. */
export interface Endpoints {
  readonly mirrors: readonly Endpoint[];
  readonly registry: Endpoint;
}

/**
 * Source: distribution/reference (docker.io is served by registry-1.docker.io); containerd, hosts.toml, `ns`.
 */
export const endpointsFor = (registry: string, repository: string, hosts: HostTable): Endpoints => {
  const settings = hosts.get(registry);
  const address = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  const itself: Endpoint = {
    base: new URL(`${settings?.isPlainHttp === true ? 'http' : 'https'}://${address}/v2/${repository}/`),
    host: registry,
    repository,
    isMirror: false,
    resolvesTags: true,
    mirrored: undefined,
  };
  const mirrors = (settings?.mirrors ?? []).map(({ url, resolvesTags }): Endpoint => {
    const { origin, host, prefix } = readMirror(url, registry);
    const there = `${prefix}${repository}`;
    return { base: new URL(`${origin}/v2/${there}/`), host, repository: there, isMirror: true, resolvesTags, mirrored: registry };
  });
  return { mirrors, registry: itself };
};

const readMirror = (text: string, registry: string): { readonly origin: string; readonly host: string; readonly prefix: string } => {
  const url = URL.parse(text);
  const path = /^\/(?:v2(?:\/(?<prefix>.+?))?\/?)?$/.exec(url?.pathname ?? '');
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && path !== null;
  if (!isUsable) {
    throw new PoimenError({
      outcome: 'usage',
      code: 'MirrorInvalid',
      summary: `a mirror of ${registry} has no usable address`,
      detail: 'it is http:// or https://, a host, and no path or /v2/PREFIX; no user and no password',
      nextSteps: ['name it as https://HOST[:PORT][/v2/PREFIX]'],
    });
  }
  const prefix = path.groups?.['prefix'];
  return { origin: url.origin, host: url.host, prefix: prefix === undefined ? '' : `${prefix}/` };
};
