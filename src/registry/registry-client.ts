import type { Clock } from '../clock/clock.ts';
import { openSession, type Session } from './auth/session.ts';
import type { CredentialLookup } from './credentials/credential.ts';
import { endpointsFor, type Endpoint } from './endpoint.ts';
import type { HostTable } from './host-settings.ts';
import { openConnections } from './http/connections.ts';
import { createExchange } from './http/exchange.ts';
import type { Patience } from './http/patience.ts';
import { withRedirects } from './http/redirects.ts';
import { withRetries } from './http/retry.ts';
import type { WatchedSource } from './image-source.ts';
import type { Place } from './place.ts';
import { RegistrySource } from './registry-source.ts';
import type { RequestListener } from './trace.ts';

export interface RegistryClientSettings {
  readonly clock: Clock;
  /** For HTTPS_PROXY and NO_PROXY. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hosts: HostTable;
  readonly credentials: CredentialLookup;
  readonly trace?: RequestListener;
  readonly limits?: Partial<RegistryLimits>;
}

export interface RegistryLimits {
  /** Until a connection is there. */
  readonly connectMs: number;
  /** From a request to its answer's header. */
  readonly answerMs: number;
  /** For each small document as a whole, with tokens, redirects and retries. */
  readonly documentMs: number;
  readonly patience: Patience;
  readonly attempts: number;
  readonly backoffMs: number;
  /** A registry that wants a longer pause is not waited for. */
  readonly maxRetryAfterMs: number;
}

export const defaultLimits: RegistryLimits = {
  connectMs: 10_000,
  answerMs: 30_000,
  documentMs: 120_000,
  patience: { graceMs: 30_000, minBytesPerSecond: 1_024 },
  attempts: 3,
  backoffMs: 500,
  maxRetryAfterMs: 60_000,
};

/** Registries, for one run: connections, tokens and what each of them can do are shared between all that is asked. */
export interface RegistryClient {
  source(where: { readonly registry: string; readonly repository: string }): WatchedSource;
  /** Ends all connections. What is still read fails. */
  close(): Promise<void>;
}

export const createRegistryClient = ({ clock, env, hosts, credentials, trace, limits }: RegistryClientSettings): RegistryClient => {
  const { connectMs, answerMs, documentMs, patience, ...retry } = { ...defaultLimits, ...limits };
  const connections = openConnections({ hosts, env, connectMs });
  const tokenExchange = withRetries(createExchange({ clock, connections, answerMs, patience, trace }), { clock, ...retry });
  const exchange = withRedirects(tokenExchange);
  const sessions = new Map<string, Session>();
  const sources = new Map<string, WatchedSource>();

  const placeAt = (endpoint: Endpoint): Place => {
    const key = endpoint.base.href;
    const session = sessions.get(key) ?? openSession({ endpoint, hosts, clock, lookup: credentials, exchange, tokenExchange });
    sessions.set(key, session);
    return { endpoint, session };
  };

  return {
    source({ registry, repository }) {
      const name = `${registry}/${repository}`;
      const known = sources.get(name);
      if (known !== undefined) return known;
      const endpoints = endpointsFor(registry, repository, hosts);
      const places = { mirrors: endpoints.mirrors.map(placeAt), registry: placeAt(endpoints.registry) };
      const source = new RegistrySource({ name, ...places, clock, documentMs });
      sources.set(name, source);
      return source;
    },
    close: () => connections.close(),
  };
};
