import type { ClusterIdentity } from '../cluster/cluster.ts';

/** `context prod (https://10.0.0.1:6443) as jane`, `the twin of examples/llm-serving (simulated)`. */
export const renderCluster = (cluster: ClusterIdentity): string => {
  if (cluster.kind === 'twin') return `the twin of ${cluster.name} (simulated)`;
  return `context ${cluster.name} (${cluster.server})${cluster.user === undefined ? '' : ` as ${cluster.user}`}`;
};
