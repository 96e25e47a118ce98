import type { KubernetesObject } from '../../kubernetes/object.ts';
import { formatLabelSelector } from '../../kubernetes/label-selector.ts';
import { fieldsOf } from './json.ts';

/**
 * How many pods a workload has and wants, in the one shape that all scalable kinds share.
 *
 * Source: Kubernetes API reference, Scale v1 autoscaling.
 */
export const toScale = (object: KubernetesObject): KubernetesObject => {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const identity = Object.fromEntries(
    Object.entries({ namespace, uid, resourceVersion, creationTimestamp }).filter(([, value]) => value !== undefined),
  );
  const spec = fieldsOf(object.spec);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, ...identity },
    spec: spec.replicas === 0 ? {} : { replicas: spec.replicas }, // as Go writes a number that is 0
    status: { replicas: fieldsOf(object.status).replicas ?? 0, selector: formatLabelSelector(fieldsOf(spec.selector)) },
  };
};

/** The workload with the number of replicas that a changed Scale asks for, under the Scale's own preconditions. */
export const fromScale = (object: KubernetesObject, scale: KubernetesObject): KubernetesObject => {
  const { uid, resourceVersion } = scale.metadata;
  return {
    ...object,
    metadata: { ...object.metadata, ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    spec: { ...fieldsOf(object.spec), replicas: fieldsOf(scale.spec).replicas ?? 0 },
  };
};
