/** What a person says about one registry, mirror or token server, by its host (`registry.example:5000`, `docker.io`). */
export interface HostSettings {
  /** PEM; its certificates are believed instead of the system's. */
  readonly ca?: string;
  /** Speaks HTTP without TLS. */
  readonly isPlainHttp?: boolean;
  /** May name a token server on a private address, or on this machine. */
  readonly allowsPrivateRealm?: boolean;
  /** Asked first, in this order. */
  readonly mirrors?: readonly MirrorSettings[];
}

/** Source: containerd, hosts.toml. */
export interface MirrorSettings {
  /** `https://mirror.example`, or with the path that stands for the registry: `https://cache.example/v2/hub`. */
  readonly url: string;
  /** Whether it may say what a tag names. Else it is asked for digests only. */
  readonly resolvesTags: boolean;
}

export type HostTable = ReadonlyMap<string, HostSettings>;
