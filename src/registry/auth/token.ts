import type { Clock } from '../../clock/clock.ts';
import { isJsonObject } from '../../kubernetes/json.ts';
import type { Credential } from '../credentials/credential.ts';
import { isLocalName, isPrivateAddress } from '../http/private-address.ts';
import { privateAddressCode } from '../http/connections.ts';
import { readBody, readSome, wordsOf } from '../http/body.ts';
import type { Exchange, WireAnswer } from '../http/exchange.ts';
import { maxTokenBytes } from '../limits.ts';
import { quotedText } from '../quoted-text.ts';
import { RegistryError, isRegistryError } from '../registry-error.ts';
import { remedies } from '../remedies.ts';
import { urlWithoutSecrets } from '../trace.ts';

export interface TokenRequest {
  /** The registry that sent to this token server. */
  readonly registry: URL;
  /** As settings are filed. */
  readonly host: string;
  readonly realm: string;
  readonly service: string | undefined;
  readonly repository: string;
  /** `undefined`: as nobody. */
  readonly credential: Credential | undefined;
  readonly allowsPrivateRealm: boolean;
  /** Whether a token server at this host may be asked without TLS. */
  readonly isPlainHttp: (host: string) => boolean;
  readonly signal: AbortSignal | undefined;
}

export interface Token {
  readonly value: string;
  /** On the clock that nobody sets. */
  readonly expiresAtMs: number;
}

/** `refused`: the server did not take the credential. */
export type TokenAnswer = { readonly kind: 'token'; readonly token: Token } | { readonly kind: 'refused'; readonly words: string };

/**
 * Asks a token server for the right to pull one repository, and for no other.
 *
 * @throws RegistryError `TokenRealmRefused` where the registry names a server that must not be asked; others where it does not answer.
 *
 * Source: distribution, "Token Authentication Specification", "OAuth2 Token Authentication".
 */
export const requestToken = async (exchange: Exchange, clock: Clock, asked: TokenRequest): Promise<TokenAnswer> => {
  const realm = checkedRealm(asked);
  const answer = await ask(exchange, realm, asked);
  const what = whatOf(asked);
  if (answer.status >= 300 && answer.status < 400) {
    await readSome(answer);
    throw realmRefused(asked, realm.url, 'it sends on to another server, and credentials are not carried there', []);
  }
  if (answer.status === 429 || answer.status >= 500) throw tokenServerFailed(answer, what, wordsOf(await readSome(answer)));
  if (answer.status !== 200) return { kind: 'refused', words: `${answer.status} ${wordsOf(await readSome(answer))}`.trim() };
  return { kind: 'token', token: readToken(await readBody(answer, maxTokenBytes, what), answer, what, clock.monotonicMs()) };
};

interface Realm {
  readonly url: URL;
  readonly publicOnly: boolean;
}

/**
 * The same host as the registry's may be asked in any case: whoever answers there has proven its name already, or needs none. Any other
 * must be public, or a registry could make this machine ask whatever is in its reach.
 */
const checkedRealm = (asked: TokenRequest): Realm => {
  const url = URL.parse(asked.realm);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw realmRefused(asked, undefined, `"${quotedText(asked.realm)}" is no address that can be asked`, []);
  if (url.username !== '' || url.password !== '') throw realmRefused(asked, url, 'its address holds a user', []);
  if (url.protocol === 'http:' && asked.registry.protocol === 'https:' && !asked.isPlainHttp(url.host)) {
    throw realmRefused(asked, url, 'it is asked without TLS, and anyone on the way could read the password', [
      remedies.plainHttp(url.host),
    ]);
  }
  const publicOnly = url.hostname !== asked.registry.hostname && !asked.allowsPrivateRealm;
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (publicOnly && (isPrivateAddress(address) || isLocalName(address))) throw privateRealm(asked, url);
  return { url, publicOnly };
};

const ask = async (exchange: Exchange, { url, publicOnly }: Realm, asked: TokenRequest): Promise<WireAnswer> => {
  const { credential, service, signal } = asked;
  const scope = `repository:${asked.repository}:pull`;
  const common = { purpose: 'token', what: whatOf(asked), publicOnly, signal } as const;
  const get = (): Promise<WireAnswer> => {
    const target = new URL(url);
    if (service !== undefined) target.searchParams.set('service', service);
    target.searchParams.set('scope', scope);
    const headers: Record<string, string> = credential?.kind === 'password' ? { authorization: basicAuthorization(credential) } : {};
    return exchange({ ...common, method: 'GET', url: target, headers });
  };
  const post = (grant: Readonly<Record<string, string>>): Promise<WireAnswer> => {
    const form = new URLSearchParams({ ...grant, client_id: 'poimen', scope, ...(service === undefined ? {} : { service }) });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return exchange({ ...common, method: 'POST', url, headers, body: form.toString() });
  };
  try {
    if (credential?.kind === 'identity-token') return await post({ grant_type: 'refresh_token', refresh_token: credential.token });
    const answer = await get();
    // Some servers know the newer way alone.
    if (credential?.kind !== 'password' || ![404, 405].includes(answer.status)) return answer;
    await readSome(answer);
    return await post({ grant_type: 'password', username: credential.username, password: credential.password });
  } catch (error) {
    if (isRegistryError(error) && errorCode(error.cause) === privateAddressCode) throw privateRealm(asked, url, error);
    throw error;
  }
};

/** Source: RFC 7617. */
export const basicAuthorization = ({ username, password }: Credential & { readonly kind: 'password' }): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** A minute, where nothing is said. Source: "Token Authentication Specification", `expires_in`. */
const readToken = (body: Uint8Array, answer: WireAnswer, what: string, nowMs: number): Token => {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder().decode(body));
  } catch {
    document = undefined; // not quoted, here and below: it may hold a token
  }
  const fields = isJsonObject(document) ? document : {};
  const value = [fields['token'], fields['access_token']].find((each) => typeof each === 'string' && each !== '');
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new RegistryError({
      code: 'RegistryAnswerInvalid',
      summary: `${what}: the answer holds no token`,
      detail: `${urlWithoutSecrets(answer.url)} answered ${answer.status} (${quotedText(answer.header('content-type') ?? 'without a content type')})`,
      nextSteps: ['is the token server in order? it is the one that the registry names'],
    });
  }
  const seconds = typeof fields['expires_in'] === 'number' && fields['expires_in'] > 0 ? fields['expires_in'] : 60;
  return { value, expiresAtMs: nowMs + seconds * 1_000 };
};

const whatOf = ({ repository, host }: TokenRequest): string => `a token to pull ${repository} from ${host}`;

const tokenServerFailed = (answer: WireAnswer, what: string, words: string): RegistryError =>
  new RegistryError({
    code: answer.status === 429 ? 'RegistryRateLimited' : 'RegistryFailed',
    summary: `${answer.url.host} answered ${answer.status} when asked for ${what}`,
    ...(words === '' ? {} : { detail: words }),
    nextSteps: [remedies.askAgain],
  });

const privateRealm = (asked: TokenRequest, url: URL, cause?: RegistryError): RegistryError =>
  realmRefused(
    asked,
    url,
    'it has a private address, which no registry may make this machine ask unless it is told so',
    [remedies.privateRealm(asked.host)],
    cause,
  );

const realmRefused = (
  { host, registry }: TokenRequest,
  url: URL | undefined,
  why: string,
  nextSteps: readonly string[],
  cause?: RegistryError,
): RegistryError =>
  new RegistryError({
    code: 'TokenRealmRefused',
    summary: `${host} sends to a token server that is not asked${url === undefined ? '' : `: ${url.host}`}`,
    detail: why,
    nextSteps: [...nextSteps, `is ${registry.host} the right registry?`],
    ...(cause === undefined ? {} : { cause }),
  });

const errorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
