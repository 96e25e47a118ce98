import { isatty } from 'node:tty';
import { systemClock } from '../../clock/system-clock.ts';
import type { Clock } from '../../clock/clock.ts';
import { PoimenError } from '../../errors/poimen-error.ts';
import type { Cluster } from '../cluster.ts';
import { Connection } from './connection.ts';
import { chooseContext, type ContextFlags } from './context.ts';
import { Credentials, type Impersonation } from './credentials.ts';
import { inClusterKubeconfig } from './in-cluster.ts';
import { loadKubeconfig, type Kubeconfig } from './kubeconfig.ts';
import { readKubeconfigFiles, type Environment } from './kubeconfig-files.ts';
import { LazyExec } from './lazy-exec.ts';
import { LiveCluster, type LiveClusterOptions } from './live-cluster.ts';
import { readEndpoint } from './read-endpoint.ts';
import { Requester } from './requester.ts';
import { readUser } from './user.ts';

/** kubectl's flags of the same names. */
export interface ConnectLiveOptions extends ContextFlags {
  readonly kubeconfig?: string | undefined;
  readonly namespace?: string | undefined;
  readonly as?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
  /** Of one request; 0 is no limit. */
  readonly requestTimeoutMs: number;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly env: Environment;
  /** Whether a credential plugin may ask a person. Default: whether stdin is a terminal. */
  readonly hasTerminal?: boolean;
  /** For the pauses between two tries of a request. */
  readonly clock?: Clock;
  /** How long a watch is kept open, and for how long it may then be silent. Shorter in tests. */
  readonly watches?: Pick<LiveClusterOptions, 'watchSeconds' | 'watchGraceMs'>;
}

export interface LiveConnection {
  readonly cluster: Cluster;
  readonly defaultNamespace: string;
}

/**
 * The cluster that kubectl would use with the same flags and environment. Nothing is sent yet: whether the server can be reached
 * shows with the first request.
 *
 * @throws PoimenError for a kubeconfig or context that cannot be used.
 */
export const connectLive = async (options: ConnectLiveOptions): Promise<LiveConnection> => {
  const kubeconfig = await findKubeconfig(options);
  const context = chooseContext(kubeconfig, options);
  const endpoint = readEndpoint(context, options.insecureSkipTlsVerify ?? false, options.env);
  const user = readUser(context);
  const common = {
    credentials: new Credentials(user, impersonationOf(options) ?? user.impersonation, options.hasTerminal ?? isatty(0)),
    clock: options.clock ?? systemClock,
    timeoutMs: options.requestTimeoutMs,
  };
  const requester = new Requester({
    ...common,
    connection: new Connection(endpoint, pingIntervalMs(options.requestTimeoutMs)),
    ...(endpoint.acceptsGzip === undefined ? {} : { acceptsGzip: endpoint.acceptsGzip }),
  });
  const exec = new LazyExec({ ...common, endpoint });
  const identity = { kind: 'live', name: context.name, server: endpoint.server.href.replace(/\/$/, ''), user: context.userName } as const;
  return {
    cluster: new LiveCluster({ identity, requester, exec, ...options.watches }),
    defaultNamespace: options.namespace ?? context.namespace ?? 'default',
  };
};

/** A dead connection is found out after two of these, which is before a request over it gives up: its next try has a new one. */
const pingIntervalMs = (requestTimeoutMs: number): number => (requestTimeoutMs === 0 ? 10_000 : Math.min(10_000, requestTimeoutMs / 3));

const findKubeconfig = async ({ kubeconfig: flag, env }: ConnectLiveOptions): Promise<Kubeconfig> => {
  const { looked, files } = readKubeconfigFiles(flag, env);
  if (files.length > 0) return await loadKubeconfig(files);
  const inCluster = inClusterKubeconfig(env);
  if (inCluster !== undefined) return inCluster;
  throw new PoimenError({
    outcome: 'usage',
    code: 'NoKubeconfig',
    summary: 'no kubeconfig found',
    detail: `looked for ${looked.join(', ')}; not inside a cluster either`,
    nextSteps: ['give one: --kubeconfig FILE, or set KUBECONFIG', 'or use the embedded twin, which needs no cluster: --twin FOLDER'],
  });
};

const impersonationOf = ({ as: user, asGroups }: ConnectLiveOptions): Impersonation | undefined => {
  if (user !== undefined) return { user, groups: asGroups ?? [], extra: {} };
  if (asGroups === undefined || asGroups.length === 0) return undefined;
  throw new PoimenError({
    outcome: 'usage',
    code: 'ImpersonationIncomplete',
    summary: '--as-group needs a user to act as',
    nextSteps: ['add --as USER'],
  });
};
