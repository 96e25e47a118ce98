import type { Clock } from '../../src/clock/clock.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { ListWatch } from '../../src/cluster/list-watch.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import type { Selection } from '../../src/kubernetes/reference.ts';

/** How long a controller may take, on the subject's own clock. */
const patienceMs = 30_000;

/** Waits, by watching, until the selection's objects are as wanted; fails with what they were last. */
export const eventually = async (
  { cluster, clock }: { readonly cluster: Cluster; readonly clock: Clock },
  selection: Selection,
  isAsWanted: (items: readonly KubernetesObject[]) => boolean,
  timeoutMs = patienceMs,
): Promise<readonly KubernetesObject[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<readonly KubernetesObject[]>();
  const check = (): void => {
    const items = [...watch.items.values()];
    if (isAsWanted(items)) resolve(items);
  };
  const watch = new ListWatch({ cluster, clock, selection, changed: check });
  const cancel = clock.after(timeoutMs, () =>
    reject(new Error(`not as wanted after ${timeoutMs} ms: ${JSON.stringify([...watch.items.values()], undefined, 1)}`)),
  );
  try {
    await watch.start();
    check();
    return await promise;
  } finally {
    cancel();
    watch.stop();
  }
};
