import { resolve } from 'node:path';
import { systemClock } from '../clock/system-clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Prober } from '../cluster/prober.ts';
import type { Clock } from '../clock/clock.ts';
import type { Pace } from '../clock/virtual-clock.ts';
import type { Context } from './context.ts';
import { createLiveProber } from './live-prober.ts';

const defaultRequestTimeoutMs = 30_000;

/** Which cluster: kubectl's flags, or a twin. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly as?: string;
  readonly asGroups?: readonly string[];
  readonly requestTimeoutMs?: number;
  readonly insecureSkipTlsVerify?: boolean;
  /** Folder of manifests: run on the embedded twin instead of a cluster. */
  readonly twin?: string;
  /** Forget what the twin of this folder remembers, and start from its manifests. */
  readonly fresh?: boolean;
  /** How virtual time is paced on the twin; `unpaced` in a pipe. */
  readonly pace?: Pace;
}

export interface OpenCluster {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Asks from a client's side. Absent where nobody can. */
  readonly prober?: Prober;
  /** True on the twin: times are virtual. */
  readonly simulated: boolean;
  readonly defaultNamespace: string;
  /** Objects that the twin keeps and does nothing with. */
  readonly notSimulated?: readonly string[];
  close(): Promise<void>;
}

/**
 * Connects to the cluster that the flags name. Nothing is sent yet.
 *
 * @throws PoimenError usage: no kubeconfig, no such context, a twin folder that cannot be loaded.
 */
export const openCluster = async (flags: ClusterFlags, context: Context): Promise<OpenCluster> =>
  flags.twin === undefined ? openLive(flags, context) : openEmbedded(flags.twin, flags, context);

// Both are loaded when they are needed: each costs a good part of poimen's start.
const openLive = async (flags: ClusterFlags, { env }: Context): Promise<OpenCluster> => {
  const { connectLive } = await import('../cluster/live/connect-live.ts');
  const { twin: _, fresh: __, pace: ___, requestTimeoutMs = defaultRequestTimeoutMs, ...rest } = flags;
  const { cluster, defaultNamespace } = await connectLive({ ...rest, requestTimeoutMs, env });
  const prober = createLiveProber(cluster, systemClock);
  const close = async (): Promise<void> => {
    prober.close?.();
    await cluster.close();
  };
  return { cluster, clock: systemClock, prober, simulated: false, defaultNamespace, close };
};

const openEmbedded = async (
  manifests: string,
  flags: ClusterFlags,
  { env, workingDirectory, homeDirectory }: Context,
): Promise<OpenCluster> => {
  const [{ openTwin }, { stateDirectoryOf }] = await Promise.all([
    import('../twin/open-twin.ts'),
    import('../twin/state/state-directory.ts'),
  ]);
  const folder = resolve(workingDirectory, manifests);
  const twin = await openTwin({
    folder,
    name: manifests,
    stateFolder: stateDirectoryOf(folder, env, homeDirectory),
    ...(flags.fresh === undefined ? {} : { fresh: flags.fresh }),
    ...(flags.pace === undefined ? {} : { pace: flags.pace }),
  });
  return { ...twin, simulated: true, defaultNamespace: flags.namespace ?? 'default', close: () => twin.close() };
};
