import type { ObjectReference } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import type { Workload } from './workload.ts';

export const referenceOf = ({ kind, metadata }: Workload): ObjectReference => ({
  resource: kind === 'StatefulSet' ? resources.statefulSets : resources.deployments,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  name: metadata.name,
});
