import type { KubernetesObject } from '../../src/kubernetes/object.ts';

export const pod = (name: string, resourceVersion: string, uid = `uid-of-${name}`): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'llm-serving', uid, resourceVersion },
});
