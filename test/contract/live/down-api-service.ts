import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import type { Resource } from '../../../src/kubernetes/resource.ts';

export const apiServices: Resource = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  plural: 'apiservices',
  kind: 'APIService',
  namespaced: false,
};

/** A group that the API server hands on to a Service which is not there. */
export const downApiService = (group: string, version: string): KubernetesObject => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `${version}.${group}` },
  spec: {
    group,
    version,
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { name: 'nobody', namespace: 'default' },
  },
});
