import { isApiError } from '../../src/cluster/api-error.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { resources } from '../../src/kubernetes/resource.ts';

/**
 * Deletes a namespace and frees what its pods book, so that the files that share a control plane do not find each other's pods. Once
 * it is Terminating, nothing new is made in it.
 */
export const clearNamespace = async (cluster: Cluster, namespace: string): Promise<void> => {
  await ignoringMissing(cluster.delete({ resource: resources.namespaces, name: namespace }));
  const { items } = await cluster.list({ resource: resources.pods, namespace });
  const gone = items.map(({ metadata: { name } }) =>
    cluster.delete({ resource: resources.pods, namespace, name }, { gracePeriodSeconds: 0 }),
  );
  await Promise.all(gone.map(ignoringMissing));
};

const ignoringMissing = async (deletion: Promise<void>): Promise<void> => {
  try {
    await deletion;
  } catch (error) {
    if (!isApiError(error, 404)) throw error;
  }
};
