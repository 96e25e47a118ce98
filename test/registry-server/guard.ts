import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, answerNothing } from './answers.ts';

export type RegistryAuth =
  | { readonly kind: 'basic'; readonly users: Readonly<Record<string, string>> }
  | {
      readonly kind: 'token';
      readonly users: Readonly<Record<string, string>>;
      /** Whether somebody unknown gets a token to pull with. */
      readonly letsAnyonePull: boolean;
      /** Another token server than the registry's own. */
      readonly realm?: string;
      /** OAuth2 refresh tokens that are taken. */
      readonly refreshTokens?: readonly string[];
      readonly expiresInSeconds?: number;
      /** Knows OAuth2's POST alone. */
      readonly refusesGet?: boolean;
    };

/** Who may come in. Source: distribution, "Token Authentication Specification"; RFC 7617. */
export class Guard {
  private readonly grants = new Map<string, readonly string[]>();
  private readonly auth: RegistryAuth | undefined;

  constructor(auth: RegistryAuth | undefined) {
    this.auth = auth;
  }

  /** Makes all tokens that were given invalid. */
  revokeAll(): void {
    this.grants.clear();
  }

  /** Answers 401 or 403 itself. */
  letsIn(request: IncomingMessage, response: ServerResponse, repository: string | undefined, action: 'pull' | 'push'): boolean {
    const { auth } = this;
    const { authorization = '' } = request.headers;
    if (auth === undefined) return true;
    if (auth.kind === 'basic') {
      if (isKnown(auth.users, authorization)) return true;
      this.challenge(response, 'Basic realm="test registry"');
      return false;
    }
    const scope = repository === undefined ? undefined : `repository:${repository}:${action}`;
    const grant = this.grants.get(authorization.replace(/^Bearer /, ''));
    if (grant !== undefined && (scope === undefined || grant.includes(scope))) return true;
    const realm = auth.realm ?? `${'encrypted' in request.socket ? 'https' : 'http'}://${request.headers.host ?? ''}/token`;
    const asked = scope === undefined ? '' : `,scope="repository:${repository ?? ''}:pull${action === 'push' ? ',push' : ''}"`;
    this.challenge(response, `Bearer realm="${realm}",service="test registry"${asked}`);
    return false;
  }

  /** The registry's own token server. */
  answerToken(request: IncomingMessage, response: ServerResponse, query: URLSearchParams, form: URLSearchParams): void {
    const { auth } = this;
    if (auth?.kind !== 'token') return answerNothing(response, 404);
    if (request.method === 'GET' && auth.refusesGet === true) return answerNothing(response, 405);
    const { authorization = '' } = request.headers;
    const asked = request.method === 'POST' ? form : query;
    const user =
      request.method === 'POST'
        ? form.get('grant_type') === 'refresh_token'
          ? (auth.refreshTokens ?? []).includes(form.get('refresh_token') ?? '')
          : auth.users[form.get('username') ?? ''] === form.get('password')
        : isKnown(auth.users, authorization);
    if (!user && (authorization !== '' || request.method === 'POST' || !auth.letsAnyonePull)) {
      return answerJson(response, 401, { errors: [{ code: 'UNAUTHORIZED', message: 'incorrect username or password' }] });
    }
    const [type = '', name = '', actions = ''] = (asked.get('scope') ?? '').split(':');
    const scopes = actions.split(',').filter((action) => user || action === 'pull');
    const token = randomUUID();
    this.grants.set(
      token,
      scopes.map((action) => `${type}:${name}:${action}`),
    );
    const lasts = auth.expiresInSeconds === undefined ? {} : { expires_in: auth.expiresInSeconds };
    return answerJson(response, 200, request.method === 'POST' ? { access_token: token, ...lasts } : { token, ...lasts });
  }

  private challenge(response: ServerResponse, challenge: string): void {
    const errors = [{ code: 'UNAUTHORIZED', message: 'authentication required' }];
    answerJson(response, 401, { errors }, { 'www-authenticate': challenge });
  }
}

const isKnown = (users: Readonly<Record<string, string>>, authorization: string): boolean => {
  const [, encoded = ''] = /^Basic (.*)$/.exec(authorization) ?? [];
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return users[name] !== undefined && users[name] === password.join(':');
};
