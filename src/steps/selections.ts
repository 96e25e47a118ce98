import type { ObjectReference, Selection } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';

/**
 * What steps read. Every distinct selection costs a LIST and a WATCH on a real cluster, so all kinds take theirs from here and
 * share them: a hand-over in one namespace watches five.
 */

const within = (namespace: string | undefined): { readonly namespace?: string } => (namespace === undefined ? {} : { namespace });

export const podsOf = (namespace: string | undefined): Selection => ({ resource: resources.pods, ...within(namespace) });

export const replicaSetsOf = (namespace: string | undefined): Selection => ({ resource: resources.replicaSets, ...within(namespace) });

export const servicesOf = (namespace: string | undefined): Selection => ({ resource: resources.services, ...within(namespace) });

/** Every object of the reference's kind in its namespace. */
export const siblingsOf = (reference: ObjectReference): Selection => ({ resource: reference.resource, ...within(reference.namespace) });

/** Source: EndpointSlice v1 discovery.k8s.io: the label names the Service. */
export const endpointSlicesOf = (service: ObjectReference): Selection => ({
  resource: resources.endpointSlices,
  ...within(service.namespace),
  labelSelector: `kubernetes.io/service-name=${service.name}`,
});

/** A workload, its ReplicaSets and its pods. */
export const workloadSelections = (workload: ObjectReference): readonly Selection[] => [
  siblingsOf(workload),
  ...(workload.resource.kind === 'Deployment' ? [replicaSetsOf(workload.namespace)] : []),
  podsOf(workload.namespace),
];
