import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { buildConnector, Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import { proxyFromEnvironment } from '../../cluster/live/proxy.ts';
import type { HostTable } from '../host-settings.ts';
import { isPrivateAddress } from './private-address.ts';

/** The connections of one run: kept open between requests, closed together. */
export interface Connections {
  /** `publicOnly`: no connection to a private address is made, whatever the name resolves to. */
  to(url: URL, publicOnly: boolean): Dispatcher;
  close(): Promise<void>;
}

export interface ConnectionSettings {
  readonly hosts: HostTable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly connectMs: number;
}

/** The code of the error that a connection to a private address ends with, where only public ones were to be asked. */
export const privateAddressCode = 'EPRIVATEADDRESS';

export const openConnections = ({ hosts, env, connectMs }: ConnectionSettings): Connections => {
  const agents = new Map<string, Dispatcher>();
  return {
    to(url, publicOnly) {
      const proxy = proxyFromEnvironment(url, env) ?? undefined;
      const ca = caFor(url, hosts);
      const key = JSON.stringify([proxy?.href, ca, publicOnly]);
      const known = agents.get(key);
      if (known !== undefined) return known;
      const agent = open({ proxy, ca, publicOnly, connectMs });
      agents.set(key, agent);
      return agent;
    },
    async close() {
      const open = [...agents.values()];
      agents.clear();
      await Promise.all(open.map((agent) => agent.destroy()));
    },
  };
};

interface AgentSettings {
  readonly proxy: URL | undefined;
  readonly ca: string | undefined;
  readonly publicOnly: boolean;
  readonly connectMs: number;
}

/** HTTP/1.1: a slow layer must not share a connection with what is asked beside it. The deadlines are whose request it is. */
const open = ({ proxy, ca, publicOnly, connectMs }: AgentSettings): Dispatcher => {
  const waits = { headersTimeout: 0, bodyTimeout: 0, allowH2: false };
  if (proxy !== undefined) return new Agent({ ...waits, connect: connectThrough(proxy, ca) });
  const tls = ca === undefined ? {} : { ca };
  return new Agent({ ...waits, connect: { ...tls, timeout: connectMs, ...(publicOnly ? { lookup: lookupPublic } : {}) } });
};

/** By a tunnel. It is the proxy that resolves names: only addresses that stand in a URL can be judged here. */
const connectThrough =
  (proxy: URL, ca: string | undefined): buildConnector.connector =>
  ({ host = '' }, callback) => {
    const server = new URL(`https://${host}`);
    const authority = ca === undefined ? {} : { certificateAuthority: ca };
    const connect = callbackify(async () => {
      const { dial } = await import('../../cluster/live/dial.ts');
      return await dial({ server, proxy, insecureSkipTlsVerify: false, ...authority }, undefined, ['http/1.1']);
    });
    connect((error, socket) => (error === null ? callback(null, socket) : callback(error, null)));
  };

const caFor = (url: URL, hosts: HostTable): string | undefined =>
  hosts.get(url.host)?.ca ?? (url.hostname === 'registry-1.docker.io' ? hosts.get('docker.io')?.ca : undefined);

/** Fails where any of the name's addresses is a private one: which of them is taken is not known before. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: readonly LookupAddress[]) => {
    const wrong = error === null ? addresses.find(({ address }) => isPrivateAddress(address)) : undefined;
    const [first] = addresses ?? [];
    if (error !== null) callback(error, '');
    else if (wrong !== undefined) callback(privateAddress(hostname, wrong.address), '');
    else if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  });
};

const privateAddress = (hostname: string, address: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} is ${address}, a private address`), { code: privateAddressCode });
