import type { Clock } from '../clock/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Prober } from '../cluster/prober.ts';

/** Asks from the clients' own pods on a live cluster. What it takes is loaded with the first question: not every plan asks one. */
export const createLiveProber = (cluster: Cluster, clock: Clock): Prober => {
  let loading: Promise<Prober> | undefined;
  const prober = (): Promise<Prober> => (loading ??= load(cluster, clock));
  return {
    ask: async (...question) => (await prober()).ask(...question),
    means: async (client, signal) =>
      (await (await prober()).means?.(client, signal)) ?? { kind: 'unable', client, code: 'NoProber', reason: 'nothing can be asked' },
    connections: async (...of) => (await prober()).connections?.(...of),
    close: () => void loading?.then((loaded) => loaded.close?.()),
  };
};

const load = async (cluster: Cluster, clock: Clock): Promise<Prober> => {
  const [{ createExecProber }, { findClientPod }] = await Promise.all([
    import('../network/probe/exec-prober.ts'),
    import('../network/probe/client-pod.ts'),
  ]);
  if (cluster.exec === undefined) throw new Error('a cluster without exec cannot be asked from');
  return createExecProber({ exec: cluster.exec.bind(cluster), clock, findVantage: findClientPod(cluster) });
};
