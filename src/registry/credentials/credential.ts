/** What proves to a registry who asks. Never printed: `origin` is. */
export type Credential =
  | { readonly kind: 'password'; readonly username: string; readonly password: string; readonly origin: string }
  /** To be changed into a token (OAuth2's refresh token). */
  | { readonly kind: 'identity-token'; readonly token: string; readonly origin: string }
  /** The token itself. */
  | { readonly kind: 'registry-token'; readonly token: string; readonly origin: string };

/** What is asked for: a repository of a host, as the reference names it (`docker.io`, `library/busybox`). */
export interface CredentialTarget {
  readonly host: string;
  readonly repository: string;
}

export interface FoundCredentials {
  /** Each is tried, in this order. */
  readonly credentials: readonly Credential[];
  /** Where it was looked, and what was wrong there: for whoever has to find out why there is none. Without secrets. */
  readonly looked: readonly string[];
}

export type CredentialLookup = (target: CredentialTarget, signal: AbortSignal | undefined) => Promise<FoundCredentials>;

export const noCredentials: CredentialLookup = async () => ({ credentials: [], looked: [] });

/** All that the lookups find, one after the other. */
export const eachOf =
  (...lookups: readonly CredentialLookup[]): CredentialLookup =>
  async (target, signal) => {
    const found: FoundCredentials[] = [];
    for (const lookup of lookups) found.push(await lookup(target, signal));
    return { credentials: found.flatMap(({ credentials }) => credentials), looked: found.flatMap(({ looked }) => looked) };
  };
