import type { RequestOptions } from 'node:https';
import { PoimenError } from '../../errors/poimen-error.ts';
import { createAuthenticator, type Authenticator } from './client.ts';
import type { ClientCertificate } from './endpoint.ts';
import { isJsonObject, stringIn } from './json.ts';
import type { LiveUser } from './user.ts';
import { errorCode } from './transport.ts';

/** What one request proves itself with. */
export interface Credential {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly client: ClientCertificate | undefined;
}

export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A user's credentials: as the kubeconfig holds them, or from a plugin or token file, which the client library asks and caches. */
export class Credentials {
  private readonly user: LiveUser;
  private readonly impersonation: Impersonation | undefined;
  private readonly hasTerminal: boolean;
  private authenticator: Promise<Authenticator | undefined>;
  private client: ClientCertificate | undefined;
  private asked: Promise<Credential> | undefined;
  private latest: Credential | undefined;

  /** `hasTerminal`: a plugin may ask whoever sits there. */
  constructor(user: LiveUser, impersonation: Impersonation | undefined, hasTerminal = false) {
    this.user = user;
    this.impersonation = impersonation;
    this.hasTerminal = hasTerminal;
    this.client = user.client;
    this.authenticator = createAuthenticator(user.entry, hasTerminal);
  }

  /** @throws PoimenError when a plugin or token file gives none. */
  async current(): Promise<Credential> {
    // requests that start together share one call of the plugin
    this.asked ??= this.ask().finally(() => (this.asked = undefined));
    return await this.asked;
  }

  /** Called when the server rejected a credential. False when the next one would be the same. */
  renew(rejected: Credential): boolean {
    if (!this.user.isRenewable) return false;
    // one that was rejected late has been renewed already
    if (this.latest === undefined || !isSameProof(rejected, this.latest)) return true;
    if (this.user.rereadClient !== undefined) this.client = this.user.rereadClient();
    this.authenticator = createAuthenticator(this.user.entry, this.hasTerminal);
    return true;
  }

  private async ask(): Promise<Credential> {
    const options: RequestOptions & { headers: Record<string, string> } = { headers: {} };
    try {
      await (await this.authenticator)?.applyAuthentication(this.user.entry, options);
    } catch (error) {
      if (error instanceof PoimenError) throw error;
      throw credentialsUnavailable(this.user, error);
    }
    const { token, username, password } = this.user.entry;
    const authorization =
      options.headers['Authorization'] ??
      (token ? `Bearer ${token}` : username ? `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` : undefined);
    const credential: Credential = {
      headers: {
        ...(authorization === undefined ? {} : { authorization: authorization.trim() }), // a token file ends in a newline
        ...impersonationHeaders(this.impersonation),
      },
      client:
        typeof options.cert === 'string' && typeof options.key === 'string' ? { certificate: options.cert, key: options.key } : this.client,
    };
    this.latest = credential;
    return credential;
  }
}

const isSameProof = (a: Credential, b: Credential): boolean =>
  a.headers['authorization'] === b.headers['authorization'] && a.client?.certificate === b.client?.certificate;

/** Source: Kubernetes reference, "User impersonation". */
export const impersonationHeaders = (impersonation: Impersonation | undefined): Readonly<Record<string, string | readonly string[]>> => {
  if (impersonation === undefined) return {};
  const extra = Object.entries(impersonation.extra).map(([key, values]) => [
    `impersonate-extra-${encodeURIComponent(key)}`.toLowerCase(),
    values,
  ]);
  return {
    'impersonate-user': impersonation.user,
    ...(impersonation.groups.length === 0 ? {} : { 'impersonate-group': impersonation.groups }),
    ...(impersonation.uid === undefined ? {} : { 'impersonate-uid': impersonation.uid }),
    ...Object.fromEntries(extra),
  };
};

const credentialsUnavailable = ({ name, entry }: LiveUser, error: unknown): PoimenError => {
  const exec: unknown = entry.exec;
  const command = isJsonObject(exec) ? stringIn(exec, 'command') : undefined;
  const words = (error instanceof Error ? error.message : String(error)).trim();
  if (command === undefined) {
    return new PoimenError({
      outcome: 'refused',
      code: 'CredentialsUnavailable',
      summary: `no credentials for user "${name}"`,
      detail: words,
      nextSteps: [`look at the entry of user "${name}": kubectl config view`],
      cause: error,
    });
  }
  const isMissing = errorCode(error) === 'ENOENT';
  const hint = isJsonObject(exec) ? stringIn(exec, 'installHint') : undefined;
  return new PoimenError({
    outcome: 'refused',
    code: isMissing ? 'CredentialPluginMissing' : 'CredentialPluginFailed',
    summary: isMissing
      ? `the credential plugin "${command}" of user "${name}" is not installed`
      : `the credential plugin "${command}" of user "${name}" failed`,
    detail: words === '' ? 'it said nothing' : words,
    nextSteps: isMissing
      ? [hint?.trim() || `install ${command}, or put it on the PATH`]
      : ['log in again, then check with: kubectl auth whoami'],
    cause: error,
  });
};
