import type { Clock } from '../../clock/clock.ts';
import type { Credential, CredentialLookup } from '../credentials/credential.ts';
import type { Endpoint } from '../endpoint.ts';
import type { HostTable } from '../host-settings.ts';
import { readSome, wordsOf } from '../http/body.ts';
import type { Exchange, WireAnswer, WireRequest } from '../http/exchange.ts';
import { readChallenge, type Challenge } from './challenge.ts';
import { basicAuthorization, requestToken } from './token.ts';

export interface SessionSettings {
  readonly endpoint: Endpoint;
  readonly hosts: HostTable;
  readonly clock: Clock;
  readonly lookup: CredentialLookup;
  /** For requests to the registry. */
  readonly exchange: Exchange;
  /** For requests to token servers: it follows no redirects. */
  readonly tokenExchange: Exchange;
}

/** Whether a registry let in whoever asked (its answer can still be an error). */
export type SessionAnswer = { readonly kind: 'answered'; readonly answer: WireAnswer } | LockedOut;

/** 401 or 403, and nobody else is left to ask as. */
export interface LockedOut {
  readonly kind: 'locked-out';
  readonly status: number;
  readonly url: URL;
  readonly words: string;
  /** The place that refuses is the one that the registry redirected to. */
  readonly isElsewhere: boolean;
  readonly refusals: readonly Refusal[];
  /** Where credentials were looked for. */
  readonly looked: readonly string[];
}

/** Who was tried, for a message: `as nobody`, `with the credentials of ~/.docker/config.json (auths)`. */
export interface Refusal {
  readonly as: string;
  readonly words: string;
}

/** Requests to one repository at one place, with one way of saying who asks. */
export type Session = (request: WireRequest) => Promise<SessionAnswer>;

/**
 * Asks as nobody first. Only when the registry wants to know are credentials looked for, and each is tried in turn. What lets in is used
 * for all that follows, until it expires; requests at the same time share it.
 */
export const openSession = (settings: SessionSettings): Session => {
  const { endpoint, clock, exchange } = settings;
  const passes = new Passes(settings);
  return async (request) => {
    let used = await passes.current(request.signal);
    for (;;) {
      const headers = used === undefined ? request.headers : { ...request.headers, authorization: used.header };
      const answer = await exchange({ ...request, headers });
      if (answer.status !== 401 && answer.status !== 403) {
        if (used !== undefined) used.goodAtMs = clock.monotonicMs();
        return { kind: 'answered', answer };
      }
      const { status, url } = answer;
      const words = wordsOf(await readSome(answer));
      const isElsewhere = url.origin !== endpoint.base.origin;
      if (!isElsewhere) passes.challenged(readChallenge(answer.header('www-authenticate')));
      const next = isElsewhere ? undefined : await passes.after(used, { status, words }, request.signal);
      if (next === undefined)
        return { kind: 'locked-out', status, url, words, isElsewhere, refusals: passes.refusals, looked: passes.looked };
      used = next;
    }
  };
};

interface Pass {
  readonly header: string;
  readonly expiresAtMs: number;
  /** Its place in the list of those that can be asked as. */
  readonly candidate: number;
  /** When somebody was let in with it. */
  goodAtMs: number | undefined;
}

/** A token is not used in its last seconds. */
const marginMs = 5_000;

/** Who can be asked as, and whose turn it is. */
class Passes {
  refusals: readonly Refusal[] = [];
  looked: readonly string[] = [];
  private readonly settings: SessionSettings;
  private challenge: Challenge | undefined;
  private candidates: readonly (Credential | undefined)[] | undefined;
  private next = 0;
  private pass: Pass | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(settings: SessionSettings) {
    this.settings = settings;
  }

  challenged(challenge: Challenge | undefined): void {
    this.challenge = challenge ?? this.challenge;
  }

  /** `undefined`: as nobody, without a word. */
  async current(signal: AbortSignal | undefined): Promise<Pass | undefined> {
    const { pass, challenge } = this;
    if (pass === undefined || challenge === undefined || pass.expiresAtMs - marginMs > this.settings.clock.monotonicMs()) return pass;
    return await this.inTurn(() => (this.pass === pass ? this.renew(pass, challenge, signal) : Promise.resolve(this.pass)));
  }

  /** The one to try after one that was refused; `undefined` when there is none. */
  async after(used: Pass | undefined, refusal: { readonly status: number; readonly words: string }, signal: AbortSignal | undefined) {
    return await this.inTurn(async () => {
      const { challenge } = this;
      if (this.pass !== used && this.pass !== undefined) return this.pass; // somebody was faster
      if (challenge === undefined) return undefined;
      if (used?.goodAtMs !== undefined) {
        // It was good before: at 401 it has run out, at 403 it is this one thing that is forbidden.
        return refusal.status === 401 ? await this.renew(used, challenge, signal) : undefined;
      }
      if (used !== undefined) this.note(this.candidates?.[used.candidate], `${refusal.status} ${refusal.words}`);
      return await this.advance(challenge, signal);
    });
  }

  private async renew(old: Pass, challenge: Challenge, signal: AbortSignal | undefined): Promise<Pass | undefined> {
    this.next = old.candidate;
    return await this.advance(challenge, signal);
  }

  private async advance(challenge: Challenge, signal: AbortSignal | undefined): Promise<Pass | undefined> {
    this.candidates ??= await this.find(challenge);
    this.pass = undefined;
    while (this.next < this.candidates.length) {
      const candidate = this.next;
      const made = await this.make(this.candidates[candidate], challenge, signal);
      this.next = candidate + 1; // only now: one that could not be tried has its turn again
      if (made === undefined) continue;
      this.pass = { ...made, candidate, goodAtMs: undefined };
      return this.pass;
    }
    this.next = 0; // the next request may be one that somebody is let in for
    return undefined;
  }

  private async find(challenge: Challenge): Promise<readonly (Credential | undefined)[]> {
    const { host, repository } = this.settings.endpoint;
    // Without a signal: the answer serves all that ask, and a helper has a deadline of its own.
    const { credentials, looked } = await this.settings.lookup({ host, repository }, undefined);
    this.looked = looked;
    return credentials.length === 0 && challenge.scheme === 'bearer' ? [undefined] : credentials;
  }

  private async make(credential: Credential | undefined, challenge: Challenge, signal: AbortSignal | undefined) {
    const { endpoint, hosts, clock, tokenExchange } = this.settings;
    if (credential?.kind === 'registry-token') return { header: `Bearer ${credential.token}`, expiresAtMs: Infinity };
    if (challenge.scheme === 'basic') {
      if (credential?.kind === 'password') return { header: basicAuthorization(credential), expiresAtMs: Infinity };
      this.note(credential, 'the registry wants a user and a password, and it is a token');
      return undefined;
    }
    const answer = await requestToken(tokenExchange, clock, {
      registry: endpoint.base,
      host: endpoint.host,
      realm: challenge.realm,
      service: challenge.service,
      repository: endpoint.repository,
      credential,
      allowsPrivateRealm: hosts.get(endpoint.host)?.allowsPrivateRealm === true,
      isPlainHttp: (host) => hosts.get(host)?.isPlainHttp === true,
      signal,
    });
    if (answer.kind === 'token') return { header: `Bearer ${answer.token.value}`, expiresAtMs: answer.token.expiresAtMs };
    this.note(credential, `the token server said ${answer.words}`);
    return undefined;
  }

  private note(credential: Credential | undefined, words: string): void {
    const as = credential === undefined ? 'as nobody' : `with the credentials of ${credential.origin}`;
    this.refusals = [...this.refusals.filter((refusal) => refusal.as !== as), { as, words: words.trim() }];
  }

  /** One after the other: those that ask at the same time share one token. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}
