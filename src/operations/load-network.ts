import { ApiError, ConnectionError } from '../cluster/api-error.ts';
import { explainApiError } from '../cluster/explain-api-error.ts';
import { takeInventory } from '../network/inventory/inventory.ts';
import type { Context } from './context.ts';
import type { LoadedNetwork, NetworkSource } from './network-source.ts';
import { openCluster, type ClusterFlags } from './open-cluster.ts';

/**
 * Reads a source once. `named`: the namespaces that the question names; where not all may be read, those are tried.
 *
 * @throws PoimenError usage: the source cannot be used; refused: the cluster cannot be reached or read.
 */
export const loadNetwork = async (source: NetworkSource, named: readonly string[], context: Context): Promise<LoadedNetwork> => {
  if (source.kind === 'cluster') return loadCluster(source.flags, named, context);
  const { readManifestNetwork } = await import('./read-manifest-network.ts'); // brings the YAML parser, which a cluster does not need
  return readManifestNetwork(source.path, source.namespace, context);
};

const loadCluster = async (flags: ClusterFlags, named: readonly string[], context: Context): Promise<LoadedNetwork> => {
  const [{ readClusterNetwork }, open] = await Promise.all([import('./read-cluster-network.ts'), openCluster(flags, context)]);
  const { cluster, defaultNamespace } = open;
  try {
    const { objects, gaps } = await readClusterNetwork(cluster, [...new Set([...named, defaultNamespace])]);
    const sources = objects.map((object) => ({ object }));
    return {
      origin: cluster.identity,
      objects: sources,
      inventory: takeInventory(sources, gaps),
      problems: [],
      namespace: defaultNamespace,
    };
  } catch (error) {
    throw error instanceof ApiError || error instanceof ConnectionError ? explainApiError(error, cluster.identity) : error;
  } finally {
    await open.close();
  }
};
