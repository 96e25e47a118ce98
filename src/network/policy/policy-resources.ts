import type { Resource } from '../../kubernetes/resource.ts';

const define = (version: string, plural: string, kind: string): Resource => ({
  group: 'policy.networking.k8s.io',
  version,
  plural,
  kind,
  namespaced: false,
});

/** The cluster-wide kinds that the engine evaluates. A cluster has those whose definitions somebody installed, often none. */
export const clusterPolicyResources: readonly Resource[] = [
  define('v1beta1', 'clusternetworkpolicies', 'ClusterNetworkPolicy'),
  define('v1alpha2', 'clusternetworkpolicies', 'ClusterNetworkPolicy'),
  define('v1alpha1', 'adminnetworkpolicies', 'AdminNetworkPolicy'),
  define('v1alpha1', 'baselineadminnetworkpolicies', 'BaselineAdminNetworkPolicy'),
];
