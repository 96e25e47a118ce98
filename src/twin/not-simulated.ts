import type { KubernetesObject } from '../kubernetes/object.ts';

/** What the twin's API and controllers act on, and what is only looked up, in a real cluster as well. */
const understood: ReadonlySet<string> = new Set([
  '/ConfigMap',
  '/Endpoints',
  '/Namespace',
  '/Node',
  '/PersistentVolume',
  '/PersistentVolumeClaim',
  '/Pod',
  '/ResourceQuota',
  '/Secret',
  '/Service',
  '/ServiceAccount',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apps/Deployment',
  'apps/ReplicaSet',
  'coordination.k8s.io/Lease',
  'discovery.k8s.io/EndpointSlice',
  'networking.k8s.io/NetworkPolicy',
  'node.k8s.io/RuntimeClass',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/StorageClass',
]);

/** A real cluster might act on it; here it is kept as it is, and nothing happens. */
export const isNotSimulated = ({ apiVersion, kind }: KubernetesObject): boolean => {
  const slash = apiVersion.indexOf('/');
  return !understood.has(`${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kind}`);
};
