import { systemClock } from '../../src/clock/system-clock.ts';
import { connectLive } from '../../src/cluster/live/connect-live.ts';
import { Observation } from '../../src/engine/observation.ts';
import { endpointsOf, type EndpointSlice } from '../../src/kubernetes/endpoint-slice.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import type { ControlPlane } from '../../test/cluster/control-plane.ts';
import { namespace } from './workload.ts';

const slices = { resource: resources.endpointSlices, namespace };

/** Follows the Service's endpoints as any client would: by a watch. */
export interface EndpointRecord {
  /** Milliseconds without a ready endpoint since the last call. */
  takeOutageMs(): number;
  /** Resolves when a pod of this workload, and of no other, is a ready endpoint. */
  untilServedBy(workload: string): Promise<void>;
  close(): Promise<void>;
}

export const recordEndpoints = async (controlPlane: ControlPlane): Promise<EndpointRecord> => {
  const { cluster } = await connectLive({ kubeconfig: controlPlane.kubeconfig, requestTimeoutMs: 10_000, env: {} });
  let emptySinceMs: number | undefined;
  let outageMs = 0;
  const waiters = new Set<() => void>();
  const observation = await Observation.open({ cluster, clock: systemClock, watched: [slices], once: [] });
  const readyPods = (): readonly string[] => endpointsOf(observation.list<EndpointSlice>(slices)).ready.map(({ podName }) => podName ?? '');
  const look = (): void => {
    const nowMs = performance.now();
    const isEmpty = readyPods().length === 0;
    if (isEmpty) emptySinceMs ??= nowMs;
    else if (emptySinceMs !== undefined) {
      outageMs += nowMs - emptySinceMs;
      emptySinceMs = undefined;
    }
    for (const check of waiters) check();
  };
  observation.onChange(look);

  return {
    takeOutageMs() {
      const taken = outageMs;
      outageMs = 0;
      return taken;
    },
    untilServedBy: (workload) =>
      new Promise((resolve) => {
        const check = (): void => {
          const pods = readyPods();
          if (pods.length === 0 || !pods.every((pod) => pod.startsWith(`${workload}-`))) return;
          waiters.delete(check);
          resolve();
        };
        waiters.add(check);
        check();
      }),
    async close() {
      observation.close();
      await cluster.close();
    },
  };
};
