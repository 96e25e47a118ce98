import type { Resource } from './resource.ts';

/** Groups that the API server itself serves. A dot proves nothing: gateway.networking.k8s.io is a custom resource's. */
const builtInGroups: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** Not defined by a CustomResourceDefinition. Source: Kubernetes API reference, "API Groups" (1.34). */
export const isBuiltIn = (resource: Pick<Resource, 'group'>): boolean => builtInGroups.has(resource.group);
